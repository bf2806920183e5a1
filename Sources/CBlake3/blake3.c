#include "blake3.h"
