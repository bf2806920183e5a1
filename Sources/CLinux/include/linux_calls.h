#ifndef SNPACK_LINUX_CALLS_H
#define SNPACK_LINUX_CALLS_H

// System calls that Swift cannot reach: the C library declares them only under _GNU_SOURCE.

/// renameat2 with RENAME_NOREPLACE: fails with EEXIST when the new name is taken.
int snpack_rename_no_replace(int from, const char *name, int to, const char *new_name);

/// syncfs: flushes the file system that `file` is on.
int snpack_sync_file_system(int file);

/// sync_file_range with SYNC_FILE_RANGE_WRITE: starts writing these bytes to the disk, and waits for nothing.
void snpack_begin_writeback(int file, long long offset, long long count);

#endif
