// Everything a program needs to write, compile and run operators.
#pragma once

#include "sinter/compile.h"
#include "sinter/device.h"
#include "sinter/dim.h"
#include "sinter/dtype.h"
#include "sinter/error.h"
#include "sinter/functions.h"
#include "sinter/op.h"
#include "sinter/tensor.h"
#include "sinter/tensor_view.h"
