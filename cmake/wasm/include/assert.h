/* Nobody to tell: a failed assertion traps, which JavaScript sees as an exception. No guard, because
 * <assert.h> follows NDEBUG each time it is included. */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __builtin_trap())
#endif

#undef static_assert
#define static_assert _Static_assert
