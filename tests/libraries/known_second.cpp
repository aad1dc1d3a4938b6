// The second of two libraries with the same operator: there is none of its own.
#include "tests/libraries/known_operator.h"
