#define _DEFAULT_SOURCE /* flock */
#include "terminal/kept.h"

#include "cli/words.h"
#include "table/saved.h"
#include "terminal/link.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char first_line[] = "hairpin table 1";
static const char ending[] = ".table";
enum { LARGEST = 8 << 20 }; /* nine laps with six cars are some 300 KB */

__attribute__((format(printf, 3, 4))) static bool fail(char *why, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, size, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- Folders ------------------------------------------------------------------------------------ */

/* The folder, and its parents where they are missing; only their owner may look inside. */
static bool make_folders(char *path)
{
    for (char *at = path + 1; *at != '\0'; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        const bool good = mkdir(path, 0700) == 0 || errno == EEXIST;
        *at = '/';
        if (!good)
            return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* Below where programs keep what belongs to their user. The result of snprintf. */
static int data_path(char *path, size_t size, const char *name)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data != NULL && data[0] == '/') /* the standard has others ignored */
        return snprintf(path, size, "%s/hairpin%s", data, name);
    return snprintf(path, size, "%s/.local/share/hairpin%s", home != NULL ? home : "", name);
}

static bool races_folder(char path[KEPT_PATH])
{
    const int length = data_path(path, KEPT_PATH, "/races");
    errno = ENAMETOOLONG;
    return length > 0 && length <= 400; /* a name and a time come behind it */
}

/* A new name in a folder is on the disk when the folder is. */
static void sync_folder(const char *file)
{
    char folder[KEPT_PATH + 16];
    snprintf(folder, sizeof folder, "%s", file);
    char *slash = strrchr(folder, '/');
    if (slash == NULL)
        return;
    *slash = '\0';
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

/* ---- Writing ------------------------------------------------------------------------------------ */

static bool write_all(int fd, const char *text, size_t length)
{
    while (length > 0) {
        const ssize_t n = write(fd, text, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text += n;
        length -= (size_t)n;
    }
    return true;
}

/* All of it, or nothing. */
static bool add(kept *k, const char *text, size_t length)
{
    if (write_all(k->fd, text, length) && fsync(k->fd) == 0) {
        k->length += (off_t)length;
        return true;
    }
    const int why = errno;
    if (ftruncate(k->fd, k->length) != 0)
        errno = 0; /* half a line without its end is dropped when it is read */
    errno = why;
    return false;
}

/* A file that was not there: its name is the time. */
static int create(char *path, const char *folder)
{
    const time_t now = time(NULL);
    struct tm local;
    char stamp[32];
    localtime_r(&now, &local);
    strftime(stamp, sizeof stamp, "%Y-%m-%d-%H%M%S", &local);
    for (int i = 0; i < 100; i++) {
        snprintf(path, KEPT_PATH, "%.400s/%s-%02d%s", folder, stamp, i, ending);
        const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* The circuit's lines stand behind a tab each, so that an empty one does not end them. */
static char *head_of(const table_settings *settings, uint64_t opened, const char *circuit, size_t *length)
{
    const size_t room = SAVED_TEXT + 64 + (circuit != NULL ? 2 * strlen(circuit) + 2 : 0);
    char *text = must_have(malloc(room));
    size_t n = (size_t)snprintf(text, room, "%s\nopened %llu\n", first_line, (unsigned long long)opened);
    n += saved_write(settings, text + n, room - n);
    text[n++] = '\n';
    for (const char *at = circuit; at != NULL && *at != '\0';) {
        const size_t line = strcspn(at, "\n");
        text[n++] = '\t';
        memcpy(text + n, at, line);
        n += line;
        text[n++] = '\n';
        at += line + (at[line] == '\n');
    }
    text[n++] = '\n';
    *length = n;
    return text;
}

bool kept_create(kept *k, const table_settings *settings, uint64_t opened, const char *circuit, char *why,
                 size_t size)
{
    char folder[KEPT_PATH];
    *k = (kept){.fd = -1};
    if (!races_folder(folder) || !make_folders(folder) || (k->fd = create(k->path, folder)) < 0)
        return fail(why, size, _("cannot keep races in “%s”: %s"), folder, strerror(errno));
    size_t length;
    char *head = head_of(settings, opened, circuit, &length);
    const bool good = flock(k->fd, LOCK_EX | LOCK_NB) == 0 && add(k, head, length);
    const int error = errno;
    free(head);
    if (!good) {
        unlink(k->path);
        kept_close(k);
        return fail(why, size, _("cannot keep races in “%s”: %s"), folder, strerror(error));
    }
    sync_folder(k->path);
    return true;
}

bool kept_append(kept *k, uint64_t time, int seat, const char *line, size_t length)
{
    char text[TABLE_LINE + 48];
    const int n =
        snprintf(text, sizeof text, "%llu %d %.*s\n", (unsigned long long)time, seat, (int)length, line);
    errno = EINVAL;
    return n > 0 && n < (int)sizeof text && add(k, text, (size_t)n);
}

void kept_close(kept *k)
{
    if (k->fd >= 0)
        close(k->fd);
    k->fd = -1;
}

void kept_race_path(const kept *k, char *path, size_t size)
{
    const size_t stem = strlen(k->path) - (sizeof ending - 1);
    snprintf(path, size, "%.*s.race", (int)stem, k->path);
}

bool kept_finish(kept *k, const char *text, size_t length)
{
    char path[KEPT_PATH + 8], draft[KEPT_PATH + 16];
    kept_race_path(k, path, sizeof path);
    snprintf(draft, sizeof draft, "%s.new", path);
    const int fd = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    const bool written = write_all(fd, text, length) && fsync(fd) == 0;
    close(fd);
    if (!written || rename(draft, path) != 0) {
        const int why = errno;
        unlink(draft);
        errno = why;
        return false;
    }
    sync_folder(path); /* before the other goes: one of them is always there */
    unlink(k->path);
    return true;
}

/* ---- Reading ------------------------------------------------------------------------------------ */

static char *read_all(int fd, off_t *length)
{
    struct stat about;
    if (fstat(fd, &about) != 0)
        return NULL;
    if (about.st_size > LARGEST) {
        errno = EFBIG;
        return NULL;
    }
    char *text = must_have(malloc((size_t)about.st_size + 1));
    off_t got = 0;
    for (ssize_t n; got < about.st_size; got += n)
        if ((n = pread(fd, text + got, (size_t)(about.st_size - got), got)) <= 0)
            break;
    text[got] = '\0';
    *length = got;
    return text;
}

/* Behind the last line's end nothing was confirmed. */
static void drop_half_line(kept *k, char *text)
{
    while (k->length > 0 && text[k->length - 1] != '\n')
        k->length--;
    text[k->length] = '\0';
    if (ftruncate(k->fd, k->length) != 0)
        return; /* what is added later would stand behind it, and be refused: nothing is lost either */
}

/* The line at *text, which is moved behind it; NULL at the end. */
static char *take_line(char **text, int *number)
{
    char *line = *text, *end = strchr(line, '\n');
    if (end == NULL)
        return NULL;
    *end = '\0';
    *text = end + 1;
    ++*number;
    return line;
}

/* The part up to an empty line. NULL when there is none. */
static char *take_part(char **text, int *number)
{
    char *part = *text, *end = part[0] == '\n' ? part : strstr(part, "\n\n");
    if (end == NULL)
        return NULL;
    end += end != part;
    *text = end + 1;
    *end = '\0';
    for (const char *at = part; *at != '\0'; at++)
        *number += *at == '\n';
    ++*number;
    return part;
}

/* Takes the tabs away. */
static char *unfold(char *lines)
{
    char *to = lines;
    for (const char *from = lines; *from != '\0';) {
        if (*from++ != '\t')
            return NULL;
        const size_t n = strcspn(from, "\n");
        memmove(to, from, n + 1);
        to += n + 1;
        from += n + 1;
    }
    *to = '\0';
    return lines;
}

static bool read_head(kept_race *race)
{
    char *at = race->text, *end;
    const char *line = take_line(&at, &race->line);
    if (line == NULL || strcmp(line, first_line) != 0)
        return false;
    line = take_line(&at, &race->line);
    if (line == NULL || strncmp(line, "opened ", 7) != 0)
        return false;
    race->opened = strtoull(line + 7, &end, 10);
    const char *settings = take_part(&at, &race->line);
    char *circuit = settings != NULL ? take_part(&at, &race->line) : NULL;
    if (*end != '\0' || circuit == NULL || !saved_read(settings, &race->settings))
        return false;
    race->circuit = circuit[0] != '\0' ? unfold(circuit) : NULL;
    race->entries = at;
    race->line++;
    return circuit[0] == '\0' || race->circuit != NULL;
}

bool kept_open(kept *k, const char *path, kept_race *race, char *why, size_t size)
{
    *race = (kept_race){.line = 0};
    *k = (kept){.fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC)};
    snprintf(k->path, sizeof k->path, "%s", path);
    if (k->fd < 0)
        return fail(why, size, _("cannot open “%s”: %s"), path, strerror(errno));
    if (flock(k->fd, LOCK_EX | LOCK_NB) != 0) {
        kept_close(k);
        return fail(why, size, _("“%s” is being raced in another terminal"), path);
    }
    race->text = read_all(k->fd, &k->length);
    if (race->text == NULL) {
        const int error = errno;
        kept_close(k);
        return fail(why, size, _("cannot read “%s”: %s"), path, strerror(error));
    }
    drop_half_line(k, race->text);
    if (strlen(race->text) == (size_t)k->length && read_head(race))
        return true;
    fail(why, size, _("%s: this is no race that was kept here, or it is damaged"), path);
    free(race->text);
    kept_close(k);
    return false;
}

bool kept_next(kept_race *race, table_entry *entry, bool *good)
{
    char *line = take_line(&race->entries, &race->line), *at;
    *good = true;
    if (line == NULL)
        return false;
    entry->time = strtoull(line, &at, 10);
    *good = false;
    if (at == line || *at != ' ')
        return false;
    line = at + 1;
    const long seat = strtol(line, &at, 10);
    if (at == line || *at != ' ' || seat < TABLE_KEEPER || seat >= HP_CARS_MAX)
        return false;
    entry->seat = (int)seat;
    entry->line = at + 1;
    entry->length = strlen(at + 1);
    *good = true;
    return true;
}

static int newest_first(const void *a, const void *b)
{
    return strcmp(b, a); /* names are times */
}

int kept_list(char paths[KEPT_MAX][KEPT_PATH])
{
    char folder[KEPT_PATH];
    DIR *races = races_folder(folder) ? opendir(folder) : NULL;
    int n = 0;
    if (races == NULL)
        return 0;
    for (const struct dirent *each; (each = readdir(races)) != NULL;) {
        const size_t length = strlen(each->d_name);
        if (length < sizeof ending || length >= 64 ||
            strcmp(each->d_name + length - (sizeof ending - 1), ending) != 0)
            continue;
        if (n == KEPT_MAX) { /* the oldest makes room */
            qsort(paths, (size_t)n, KEPT_PATH, newest_first);
            n--;
        }
        snprintf(paths[n++], KEPT_PATH, "%.400s/%.64s", folder, each->d_name);
    }
    closedir(races);
    qsort(paths, (size_t)n, KEPT_PATH, newest_first);
    return n;
}

/* ---- Seats on servers --------------------------------------------------------------------------- */

static FILE *seats_file(const char *mode)
{
    char path[KEPT_PATH];
    if (data_path(path, sizeof path, "") >= (int)sizeof path - 8 || !make_folders(path))
        return NULL;
    strcat(path, "/seats");
    const mode_t before = umask(077); /* whoever has the token is that seat */
    FILE *file = fopen(path, mode);
    umask(before);
    return file;
}

void kept_token(const char *server, const char *id, char token[TOKEN_TEXT])
{
    char line[512], at[300], name[64], found[TOKEN_TEXT];
    FILE *file = seats_file("re");
    token[0] = '\0';
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "%299s %63s %32s", at, name, found) == 3 && strcmp(at, server) == 0 &&
            strcmp(name, id) == 0)
            snprintf(token, TOKEN_TEXT, "%s", strcmp(found, "-") != 0 ? found : ""); /* the newest counts */
    if (file != NULL)
        fclose(file);
}

bool kept_token_add(const char *server, const char *id, const char *token)
{
    FILE *file = seats_file("ae");
    if (file == NULL)
        return false;
    const bool good =
        fprintf(file, "%s %s %s\n", server, id, token) > 0 && fflush(file) == 0 && fsync(fileno(file)) == 0;
    return fclose(file) == 0 && good;
}
