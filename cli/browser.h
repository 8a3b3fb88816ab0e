/* Shows a page to whoever started the program. */
#ifndef HP_CLI_BROWSER_H
#define HP_CLI_BROWSER_H

/* Opens the address in $BROWSER, or in what the desktop thinks best. Does nothing without either; nobody is told
 * when it fails. */
void browser_open(const char *url);

#endif
