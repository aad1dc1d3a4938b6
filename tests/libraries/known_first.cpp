// The first of two libraries with the same operator.
#include "tests/libraries/known_operator.h"
