/* A race as plain text: the lap as a strip, and the cars as a table. */
#include "cli/cli.h"

#include <string.h>

enum { STRIP = 70 }; /* spaces in one row; the longest lap takes two */

/* The digit of the car that stands there, or how a free spot looks. */
static char car_at(const hp_race *race, int space, int spot)
{
    for (int i = 0; i < race->cars; i++)
        if (race->car[i].status == HP_RACING && race->car[i].space == space && race->car[i].spot == spot)
            return (char)('0' + i);
    return spot == 0 ? '-' : '.';
}

static void draw_limits(const hp_track *track, int from, int to)
{
    char row[STRIP + 4];
    memset(row, ' ', sizeof row);
    for (int i = 0; i < track->corners; i++) {
        const int column = track->corner[i].after - from;
        if (column < 0 || track->corner[i].after >= to)
            continue;
        const int limit = track->corner[i].limit;
        row[column + 2] = ']'; /* behind the space's own column, which starts one to the right */
        row[column + 1] = (char)('0' + limit % 10);
        if (limit >= 10)
            row[column] = (char)('0' + limit / 10);
    }
    int end = (int)sizeof row;
    while (end > 0 && row[end - 1] == ' ')
        end--;
    printf(" %.*s\n", end, row);
}

void draw_track(const hp_race *race)
{
    for (int from = 0; from < race->track.spaces; from += STRIP) {
        const int to = from + STRIP < race->track.spaces ? from + STRIP : race->track.spaces;
        draw_limits(&race->track, from, to);
        for (int spot = 0; spot < 2; spot++) {
            printf("  ");
            for (int space = from; space < to; space++)
                putchar(car_at(race, space, spot));
            printf("  %s\n", spot == 0 ? _("race line") : "");
        }
        printf("  ");
        for (int space = from; space < to; space += 10)
            printf("%-10d", space);
        printf("\n");
    }
}

static void draw_row(const char *const cell[7])
{
    static const int width[7] = {-5, -6, -10, -8, -8, -10, -8};
    for (int i = 0; i < 7; i++) {
        words_pad(cell[i], width[i]);
        putchar(i < 6 ? ' ' : '\n');
    }
}

void draw_standings(const hp_race *race)
{
    draw_row((const char *const[]){_("place"), _("car"), _("lap"), _("space"), _("gear"), _("engine"), _("stress")});
    uint8_t order[HP_CARS_MAX];
    const int n = hp_standings(race, order);
    for (int i = 0; i < n; i++) {
        const hp_car *car = &race->car[order[i]];
        hp_view view;
        char place[8], number[8], lap[16], space[8], gear[8], engine[8], stress[8];
        hp_look(race, HP_SPECTATOR, &view);
        snprintf(place, sizeof place, "%d", race->finished + i + 1);
        snprintf(number, sizeof number, "%d", order[i]);
        snprintf(lap, sizeof lap, "%d/%d", car->lap + 1, race->laps);
        snprintf(space, sizeof space, "%d%s", car->space, car->spot == 0 ? "-" : ".");
        snprintf(gear, sizeof gear, "%d", car->gear);
        snprintf(engine, sizeof engine, "%d", car->engine);
        snprintf(stress, sizeof stress, "%d", view.car[order[i]].stress);
        draw_row((const char *const[]){place, number, car->lap < 0 ? _("grid") : lap, space, gear, engine, stress});
    }
}

void draw_result(const hp_race *race)
{
    for (int place = 1; place <= race->cars; place++)
        for (int i = 0; i < race->cars; i++)
            if (race->car[i].place == place)
                printf("  %d. %s %d%s%s\n", place, _("car"), i, race->car[i].status == HP_RETIRED ? "  " : "",
                       race->car[i].status == HP_RETIRED ? _("retired") : "");
}
