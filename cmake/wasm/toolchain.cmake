# WebAssembly without any C library: the engine needs none but memcpy and its like (mem.c).

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32)
set(CMAKE_AR llvm-ar) # GNU's makes no index of wasm objects
set(CMAKE_RANLIB llvm-ranlib)
set(CMAKE_C_FLAGS_INIT "-ffreestanding -mbulk-memory -isystem ${CMAKE_CURRENT_LIST_DIR}/include")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # a program cannot be linked while testing the compiler
