/* Data files that the build turned into C (cmake/embed.cmake). */
#ifndef RECORD_EMBEDDED_H
#define RECORD_EMBEDDED_H

#include <stddef.h>

struct hp_embedded {
    const char *name; /* of the file, without its ending; of a page's file its path */
    const char *data; /* a NUL follows the last byte */
    size_t size;      /* without that NUL */
    const char *hash; /* of a page's file, half of its SHA-256 in hexadecimal; else NULL */
};

/* circuits/: usa, great-britain, italy, france, then any others by name. In the library. */
extern const struct hp_embedded hp_embedded_circuits[];
extern const int hp_embedded_circuit_count;

/* po/, compiled: the name is the language's code, the data a gettext .mo file. In the program. */
extern const struct hp_embedded hp_embedded_catalogues[];
extern const int hp_embedded_catalogue_count;

/* All files of the page (cmake/site.cmake), main.js or words/de.mo. Behind it comes main.js.gz, compressed,
 * where that is smaller. In the program. */
extern const struct hp_embedded hp_embedded_pages[];
extern const int hp_embedded_page_count;

#endif
