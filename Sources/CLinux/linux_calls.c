#define _GNU_SOURCE
#include "linux_calls.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int snpack_rename_no_replace(int from, const char *name, int to, const char *new_name) {
    return renameat2(from, name, to, new_name, RENAME_NOREPLACE);
}

int snpack_sync_file_system(int file) {
    return syncfs(file);
}

void snpack_begin_writeback(int file, long long offset, long long count) {
    (void)sync_file_range(file, offset, count, SYNC_FILE_RANGE_WRITE);
}
