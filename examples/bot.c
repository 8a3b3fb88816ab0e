/* A bot for hairpin (docs/BOT-PROTOCOL.md) that needs nothing but C:
 *
 *     cc -o bot bot.c && hairpin demo --bots ./bot,rookie
 *
 * It takes the first kind of act that it likes, and of plans those of 2nd gear with the highest sum below 7. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 8192 }; /* a view is below 4096, as many acts as there can be below 4300 */

static int worth_of_plan(const char *act)
{
    const int gear = atoi(act + strlen("plan "));
    int sum = 0;
    for (const char *card = act + strlen("plan 1"); *card != '\0'; card++)
        if (*card >= '0' && *card <= '5')
            sum += *card - '0';
        else if (*card == 'S')
            sum += 2;
        else if (*card == 'H')
            return 1; /* the car would stand still */
    return (gear == 2 ? 100 : 50) + (sum <= 6 ? sum : -sum);
}

static int worth(const char *act)
{
    static const char *const liked[] = {"keep", "stay", "done", "adrenaline cool", "cool"};
    int result = 0;
    if (strncmp(act, "plan", 4) == 0)
        return worth_of_plan(act);
    for (int i = 0; i < 5; i++)
        if (strncmp(act, liked[i], strlen(liked[i])) == 0)
            result = i + 1;
    return result;
}

int main(void)
{
    static char line[LINE_BYTES], best[LINE_BYTES];
    while (fgets(line, sizeof line, stdin) != NULL && strcmp(line, "end\n") != 0) {
        if (strncmp(line, "acts ", 5) == 0) {
            int most = -1;
            for (char *act = strtok(line + 5, ",\n"); act != NULL; act = strtok(NULL, ",\n")) {
                act += *act == ' ';
                if (worth(act) > most) {
                    most = worth(act);
                    strcpy(best, act);
                }
            }
        } else if (strncmp(line, "go ", 3) == 0) {
            printf("%d %s\n", atoi(line + 3), best);
            fflush(stdout);
        }
    }
    return 0;
}
