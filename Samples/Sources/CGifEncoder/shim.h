// The one door through which Swift sees giflib.
#include <gif_lib.h>
