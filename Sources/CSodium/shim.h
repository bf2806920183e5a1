#include <sodium.h>

#ifdef __linux__
#include <sys/prctl.h>

/* prctl is variadic, which Swift cannot call. Returns 0, or -1 and errno. */
static inline int snpack_forbid_dumping_memory(void) { return prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L); }
#else
static inline int snpack_forbid_dumping_memory(void) { return 0; }
#endif
