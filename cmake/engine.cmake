# engine.wasm: the table with rules, records and bots, for the page (web/engine/). Always by clang, whatever builds
# the rest: `cmake --build BUILD --target engine` makes BUILD/web/engine.wasm.

find_program(WASM_CLANG clang)
find_program(WASM_LD wasm-ld)
if(NOT WASM_CLANG OR NOT WASM_LD)
    message(STATUS "No engine for the page: clang or wasm-ld is missing")
    return()
endif()

file(GLOB engine_sources CONFIGURE_DEPENDS web/engine/*.c table/*.c)
file(GLOB bots_sources CONFIGURE_DEPENDS bots/*.c)
list(REMOVE_ITEM engine_sources ${PROJECT_SOURCE_DIR}/web/engine/libc.c ${PROJECT_SOURCE_DIR}/web/engine/memory.c)
list(REMOVE_ITEM bots_sources ${PROJECT_SOURCE_DIR}/bots/process.c)
file(GLOB wasm_headers CONFIGURE_DEPENDS include/*.h rules/*.[ch] record/*.h bots/*.h table/*.h bench/*.h
    web/engine/*.h web/engine/include/*.h cmake/wasm/include/*.h)

set(WASM_FOLDER ${CMAKE_CURRENT_BINARY_DIR}/wasm)
# Not freestanding: then a memcpy of eight bytes would be a call, and the rules half as fast.
set(WASM_FLAGS --target=wasm32 -std=c11 -DNDEBUG -nostdlibinc -mbulk-memory -msign-ext
    -Wall -Wextra -Wconversion -Wshadow -Wmissing-prototypes -Wstrict-prototypes
    -isystem ${PROJECT_SOURCE_DIR}/web/engine/include -isystem ${PROJECT_SOURCE_DIR}/cmake/wasm/include
    -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/web/engine)
if(HAIRPIN_WERROR)
    list(APPEND WASM_FLAGS -Werror)
endif()
# The stack lies first, so that running over its end is noticed.
set(WASM_LINK --target=wasm32 -nostdlib -Wl,--no-entry -Wl,--strip-all -Wl,--stack-first -Wl,-z,stack-size=262144)

#   wasm_objects(LIST OPTIONS SOURCE...)     compiles; the objects are added to the list
function(wasm_objects list options)
    set(objects ${${list}})
    foreach(source IN LISTS ARGN)
        string(REGEX REPLACE "^(${PROJECT_SOURCE_DIR}|${CMAKE_CURRENT_BINARY_DIR})/" "" name ${source})
        string(REPLACE / - name ${name})
        set(object ${WASM_FOLDER}/${name}.o)
        add_custom_command(
            OUTPUT ${object}
            COMMAND ${WASM_CLANG} ${WASM_FLAGS} ${options} -c -o ${object} ${source}
            DEPENDS ${source} ${wasm_headers} ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
            COMMENT "Building ${name} for the page"
            VERBATIM)
        list(APPEND objects ${object})
    endforeach()
    set(${list} ${objects} PARENT_SCOPE)
endfunction()

#   wasm_module(TARGET FILE OBJECT...)
function(wasm_module target file)
    add_custom_command(
        OUTPUT ${file}
        COMMAND ${WASM_CLANG} ${WASM_LINK} -o ${file} ${ARGN}
        DEPENDS ${ARGN}
        COMMENT "Linking ${target}"
        VERBATIM)
    add_custom_target(${target} ALL DEPENDS ${file})
    add_dependencies(${target} libhairpin) # which makes circuits_data.c: not both at once
endfunction()

file(MAKE_DIRECTORY ${WASM_FOLDER} ${CMAKE_CURRENT_BINARY_DIR}/web)

# The rules as one piece, as in the library. They and the bots are to be fast, all else small.
set(includes)
foreach(source IN LISTS rules_sources)
    string(APPEND includes "#include \"${source}\"\n")
endforeach()
file(CONFIGURE OUTPUT ${WASM_FOLDER}/rules.c CONTENT "${includes}")

wasm_objects(wasm_library -O3 ${WASM_FOLDER}/rules.c)
wasm_objects(wasm_library -Oz ${record_sources} ${CMAKE_CURRENT_BINARY_DIR}/circuits_data.c)
wasm_objects(wasm_bots -O3 ${bots_sources})
wasm_objects(wasm_engine -Oz ${engine_sources})
# What must not be compiled into calls of itself.
set(c_library ${PROJECT_SOURCE_DIR}/web/engine/libc.c ${PROJECT_SOURCE_DIR}/web/engine/memory.c)
wasm_objects(wasm_library "-O2;-fno-builtin" ${PROJECT_SOURCE_DIR}/cmake/wasm/mem.c)
wasm_objects(wasm_c "-O2;-fno-builtin" ${c_library})
wasm_module(engine ${CMAKE_CURRENT_BINARY_DIR}/web/engine.wasm ${wasm_engine} ${wasm_bots} ${wasm_c} ${wasm_library})

# Just so made, for tests and measurements: the signatures, and random races.
wasm_objects(wasm_bench -O3 ${PROJECT_SOURCE_DIR}/bench/signature_wasm.c ${PROJECT_SOURCE_DIR}/bench/signature.c
    ${PROJECT_SOURCE_DIR}/bench/bots_signature_wasm.c ${PROJECT_SOURCE_DIR}/bench/bots_signature.c
    ${PROJECT_SOURCE_DIR}/bench/play.c)
wasm_module(engine-bench ${WASM_FOLDER}/bench.wasm ${wasm_bench} ${wasm_bots} ${wasm_c} ${wasm_library})
