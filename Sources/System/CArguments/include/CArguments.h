#ifndef C_ARGUMENTS_H
#define C_ARGUMENTS_H

/// The number of arguments that the process was started with, the program's name included; 0 if it is unknown.
int gallop_argument_count(void);

/// An argument in the memory of the process, which never moves; NULL where there is none.
const char *gallop_argument(int place);

#endif
