/* The command-line tool: commands, their options, and what several of them need. */
#ifndef HP_CLI_H
#define HP_CLI_H

#include "cli/words.h"

#include <stdio.h>

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

typedef struct {
    const char *name;  /* without the dashes */
    const char *value; /* what it takes, as "FILE"; NULL for a switch */
    const char *text;  /* for help, marked with N_ */
    const char *given; /* set by cli_options: what was given; "" for a switch; NULL when absent */
} cli_option;

typedef struct {
    const char *name;
    const char *arguments; /* for help, as "FILE" */
    const char *summary;   /* one line, marked with N_ */
    const char *more;      /* a paragraph, or NULL */
    cli_option *options;   /* ended by one without a name */
    int least, most;       /* arguments that are not options */
    int (*run)(char **arguments, int n);
} cli_command;

extern const cli_command cmd_race, cmd_watch, cmd_demo, cmd_sim, cmd_replay, cmd_show, cmd_explain,
    cmd_circuits, cmd_arena, cmd_serve, cmd_bench;

/* Sets what was given; returns the number of other arguments, which are moved to the front of argv, or
 * -1 after saying what is wrong. */
int cli_options(const cli_command *command, char **argv, int n);
const char *cli_given(const cli_option *options, const char *name); /* NULL when absent */

/* The option's number, or otherwise when it is absent; false after saying what is wrong. */
bool cli_number(const cli_option *options, const char *name, uint64_t low, uint64_t high, uint64_t otherwise,
                uint64_t *number);

/* The nearest of the names, ended by NULL, for "did you mean"; NULL when none is near. */
const char *cli_nearest(const char *typed, const char *const *names);

/* "hairpin: " and a sentence on standard error; the value is EXIT_FAILED. */
int cli_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
int cli_complain_of_file(const char *file, const hp_fault *fault);

/* A built-in circuit's name, or a file; false after saying what is wrong. */
bool cli_circuit(const char *name_or_file, hp_circuit *circuit);

/* The same, with the text of a file, to be freed; NULL for a built-in one. */
bool cli_circuit_text(const char *name_or_file, hp_circuit *circuit, char **text);

/* False, after saying so, when it has a built-in one's name and other figures: race files name it, no more. */
bool cli_circuit_is_itself(const hp_circuit *circuit);

/* False, or true after saying so, when it is a file's name that lacks its slash to be a program. */
bool cli_program_meant(const char *spec);

/* From now on signals that would end us are handled so; those that are ignored still are. */
void cli_on_end(void (*handle)(int signal_number));

/* Does what the signal would have done, after ending all programs at the wheel with whatever they have started. */
void cli_end_with_bots(int signal_number);

/* Why a bot cannot be had; errno as bot_open left it. */
void cli_complain_of_bot(const char *spec, int why);

/* The whole file ("-" is standard input) and a NUL behind it, to be freed; NULL after saying what is wrong. */
char *cli_read_file(const char *path, size_t *length);

/* Reads a race file up to acts acts (-1: all of it). False after saying what is wrong. after_act, when
 * not NULL, is called at the start and after each act. */
bool cli_play_file(const char *path, long acts, hp_reader *reader, const hp_listener *listener,
                   void (*after_act)(void *self, const hp_reader *reader), void *self);

/* The race at a moment that text names: a position, or with the option --act N, or when there is no blank in
 * it, a race file after N acts. EXIT_OK, or another code after saying what is wrong. */
int cli_moment(const char *text, const cli_option *options, const hp_listener *listener, hp_race *race,
               char circuit[HP_NAME_MAX + 1]);

/* How far so many races are, on a line of standard error that is written again and again: some were there before,
 * the others took so many seconds. */
void cli_progress(uint64_t done, uint64_t all, uint64_t before, double seconds);

/* The circuit as people call it in their language. */
const char *cli_circuit_title(const hp_circuit *circuit);

/* drawing.c */
void draw_track(const hp_race *race);
void draw_standings(const hp_race *race);
void draw_result(const hp_race *race);

#endif
