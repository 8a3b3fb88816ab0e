/* Stands in for libFuzzer: feeds every file of the folders given to the target, so that what a fuzzer
 * once found stays a test with any compiler. */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The file in a block of just its size, for the sanitizer to catch a read beyond its end. */
static uint8_t *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        return NULL;
    long length = ftell(file);
    rewind(file);
    uint8_t *data = length < 0 ? NULL : malloc(length > 0 ? (size_t)length : 1);
    *size = data == NULL ? 0 : fread(data, 1, (size_t)length, file);
    fclose(file);
    return data;
}

static int feed(const char *folder)
{
    DIR *dir = opendir(folder);
    if (dir == NULL) {
        perror(folder);
        exit(1);
    }
    int files = 0;
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        if (entry->d_name[0] == '.')
            continue;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        size_t size;
        uint8_t *data = read_all(path, &size);
        if (data == NULL) {
            perror(path);
            exit(1);
        }
        fprintf(stderr, "%s\n", path); /* so that the last one named is the one that crashed */
        LLVMFuzzerTestOneInput(data, size);
        free(data);
        files++;
    }
    closedir(dir);
    return files;
}

int main(int argc, char **argv)
{
    int files = 0;
    for (int i = 1; i < argc; i++)
        files += feed(argv[i]);
    printf("%d files\n", files);
    return files > 0 ? 0 : 1;
}
