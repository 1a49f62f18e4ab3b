/* What the test programs have in common. */
#ifndef CHECK_H
#define CHECK_H

#include <gallop.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program with the place and the last message where a condition does not hold. */
#define CHECK(condition)                                                                              \
  do {                                                                                                \
    if (!(condition)) {                                                                               \
      fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, gallop_last_message());     \
      abort();                                                                                        \
    }                                                                                                 \
  } while (0)

#define CHECK_STATUS(call, wanted)                                                                    \
  do {                                                                                                \
    gallop_status check_status = (call);                                                              \
    if (check_status != (wanted)) {                                                                   \
      fprintf(stderr, "%s:%d: %s is %s instead of %s (%s)\n", __FILE__, __LINE__, #call,              \
              gallop_status_name(check_status), gallop_status_name(wanted), gallop_last_message());   \
      abort();                                                                                        \
    }                                                                                                 \
  } while (0)

#define CHECK_OK(call) CHECK_STATUS(call, GALLOP_OK)

#endif
