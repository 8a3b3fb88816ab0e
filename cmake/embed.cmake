# Data files become C at build time: no files to find, and none to lose, when the program runs.
#
#   embed_files(OUTPUT TABLE FILE...)
#
# makes OUTPUT, which defines the array TABLEs[] and the number TABLE_count as record/embedded.h
# declares them, in the order given. An entry's name is the file's name without its ending.
#
# The same file is the script that does it: cmake -DLIST= -DTABLE= -DOUTPUT= -P embed.cmake
# In the list a file may also stand as NAME=FILE, and then a hash of it comes along.

if(NOT CMAKE_SCRIPT_MODE_FILE)
    set(EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

    function(embed_files output table)
        # The names are in a file that changes only when they do: adding or removing one rebuilds too.
        set(list ${CMAKE_CURRENT_BINARY_DIR}/${output}.list)
        file(CONFIGURE OUTPUT ${list} CONTENT "${ARGN}")
        add_custom_command(
            OUTPUT ${output}
            COMMAND ${CMAKE_COMMAND} -DLIST=${list} -DTABLE=${table} -DOUTPUT=${output} -P ${EMBED_SCRIPT}
            DEPENDS ${ARGN} ${list} ${EMBED_SCRIPT}
            COMMENT "Embedding ${output}"
            VERBATIM)
    endfunction()
    return()
endif()

# Strings of hex escapes: exact for every byte, free of sign conversions, and ended by a NUL.
file(READ ${LIST} files)
set(texts "")
set(entries "")
set(count 0)
foreach(file IN LISTS files)
    if(file MATCHES "^([^=]+)=(.*)$")
        set(name ${CMAKE_MATCH_1})
        set(file ${CMAKE_MATCH_2})
        file(SHA256 ${file} hash)
        string(REGEX REPLACE "^(................................).*" "\"\\1\"" hash ${hash})
    else()
        cmake_path(GET file STEM LAST_ONLY name)
        set(hash NULL)
    endif()
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\"\n    \"" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${bytes}")
    string(APPEND texts "static const char data_${count}[] =\n    \"${bytes}\";\n\n")
    string(APPEND entries "    {\"${name}\", data_${count}, sizeof data_${count} - 1, ${hash}},\n")
    math(EXPR count "${count} + 1")
endforeach()

# The empty entry at the end lets the table be empty otherwise.
file(WRITE ${OUTPUT}
"/* Made by cmake/embed.cmake. */
#include \"record/embedded.h\"

${texts}const struct hp_embedded ${TABLE}s[] = {
${entries}    {0},
};

const int ${TABLE}_count = ${count};
")
