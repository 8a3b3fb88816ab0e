/* A race as plain text: the lap as a strip, and the cars as a table. Colour only adds to it: cars are
 * told apart by their numbers. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STRIP = 70 }; /* spaces in one row; the longest lap takes two */

/* The digit of the car that stands there, or how a free spot looks. */
static char car_at(const hp_race *race, int space, int spot)
{
    for (int i = 0; i < race->cars; i++)
        if (race->car[i].status == HP_RACING && race->car[i].space == space && race->car[i].spot == spot)
            return (char)('0' + i);
    return spot == 0 ? '-' : '.';
}

static bool coloured(void)
{
    const char *terminal = getenv("TERM"), *none = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && (none == NULL || none[0] == '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}

/* A car's number, in its colour: red, green, yellow, blue, magenta, cyan. */
static void draw_car(int number, const char *text)
{
    if (coloured())
        printf("\033[1;7;3%dm%s\033[0m", number + 1, text);
    else
        fputs(text, stdout);
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
            for (int space = from; space < to; space++) {
                const char there[2] = {car_at(race, space, spot), '\0'};
                if (there[0] >= '0' && there[0] <= '9')
                    draw_car(there[0] - '0', there);
                else
                    fputs(there, stdout);
            }
            printf("  %s\n", spot == 0 ? _("race line") : "");
        }
        printf("  ");
        for (int space = from; space < to; space += 10)
            printf("%-10d", space);
        printf("\n");
    }
}

enum { COLUMNS = 7 };

void draw_standings(const hp_race *race)
{
    const char *const head[COLUMNS] = {_("place"), _("car"),    _("lap"),   _("space"),
                                       _("gear"),  _("engine"), _("stress")};
    int width[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) {
        width[i] = words_width(head[i]) > 4 ? words_width(head[i]) : 4;
        printf("  ");
        words_pad(head[i], -width[i]);
    }
    printf("\n");
    hp_view view;
    uint8_t order[HP_CARS_MAX];
    hp_look(race, HP_SPECTATOR, &view);
    for (int i = 0, n = hp_standings(race, order); i < n; i++) {
        const hp_car *car = &race->car[order[i]];
        char cell[COLUMNS][16];
        snprintf(cell[0], sizeof cell[0], "%d", race->finished + i + 1);
        snprintf(cell[1], sizeof cell[1], "%d", order[i]);
        snprintf(cell[2], sizeof cell[2], car->lap < 0 ? "-" : "%d/%d",
                 car->lap < race->laps ? car->lap + 1 : race->laps, race->laps);
        snprintf(cell[3], sizeof cell[3], "%d%s", car->space, car->spot == 0 ? "-" : ".");
        snprintf(cell[4], sizeof cell[4], "%d", car->gear);
        snprintf(cell[5], sizeof cell[5], "%d", car->engine);
        snprintf(cell[6], sizeof cell[6], "%d", view.car[order[i]].stress);
        for (int k = 0; k < COLUMNS; k++) {
            printf("%*s", 2 + width[k] - (int)strlen(cell[k]), "");
            if (k == 1)
                draw_car(order[i], cell[k]);
            else
                fputs(cell[k], stdout);
        }
        printf("\n");
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
