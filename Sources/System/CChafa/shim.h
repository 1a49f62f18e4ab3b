// The whole of libchafa, and the glib declarations its interface is written in.
#pragma once

#include <chafa.h>
