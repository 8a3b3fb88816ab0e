# The page as files for any web host, and the same files inside the program: all of web/, the engine, the
# circuits, the words that the page uses, and a service worker that knows the names of them all.
#
# Target site makes ${CMAKE_BINARY_DIR}/site; pages_data.c is a table as record/embedded.h declares it.
#
# In service.js @VERSION@ becomes a hash of everything, @FILES@ the names of the other files with spaces between
# them, and @HASHES@ the first 16 digits of the SHA-256 of each, in the same order.
#
# The same file is the script that does it: cmake -DLIST= -DBUILD= -DPO= -P site.cmake

if(NOT CMAKE_SCRIPT_MODE_FILE)
    find_program(XGETTEXT xgettext REQUIRED)
    find_program(GZIP gzip REQUIRED)

    file(GLOB_RECURSE web CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/web web/*)
    list(FILTER web EXCLUDE REGEX "^engine/|(^|/)[.]|~$") # C; what editors leave behind
    set(site_files)
    foreach(name IN LISTS web)
        list(APPEND site_files ${name}=${PROJECT_SOURCE_DIR}/web/${name})
    endforeach()
    foreach(circuit IN LISTS circuits_in_order circuits)
        cmake_path(GET circuit FILENAME name)
        list(APPEND site_files circuits/${name}=${circuit})
    endforeach()
    if(TARGET engine)
        list(APPEND site_files engine.wasm=${CMAKE_BINARY_DIR}/web/engine.wasm)
    endif()
    string(REGEX REPLACE "[^;=]+=" "" site_sources "${site_files}")

    # The names are in a file that changes only when they do: adding or removing one rebuilds too.
    set(site_list ${CMAKE_BINARY_DIR}/site.list)
    file(CONFIGURE OUTPUT ${site_list} CONTENT "${site_files}")
    set(pages_list ${CMAKE_BINARY_DIR}/pages.list)
    add_custom_command(
        OUTPUT ${pages_list}
        COMMAND ${CMAKE_COMMAND} -DLIST=${site_list} -DBUILD=${CMAKE_BINARY_DIR} "-DPO=${catalogues}" -DGZIP=${GZIP}
                -DXGETTEXT=${XGETTEXT} -P ${CMAKE_CURRENT_LIST_FILE}
        DEPENDS ${site_sources} ${site_list} ${catalogues} ${CMAKE_CURRENT_LIST_FILE}
        COMMENT "Making the site"
        VERBATIM)
    add_custom_target(site DEPENDS ${pages_list})
    if(TARGET engine)
        add_dependencies(site engine)
    endif()
    add_custom_command(
        OUTPUT pages_data.c
        COMMAND ${CMAKE_COMMAND} -DLIST=${pages_list} -DTABLE=hp_embedded_page -DOUTPUT=pages_data.c -P ${EMBED_SCRIPT}
        DEPENDS ${pages_list} ${EMBED_SCRIPT}
        COMMENT "Embedding pages_data.c"
        VERBATIM)
    return()
endif()

function(run)
    execute_process(COMMAND ${ARGV} RESULT_VARIABLE failed ERROR_VARIABLE said)
    if(failed)
        list(JOIN ARGV " " command)
        message(FATAL_ERROR "${command}\n${said}")
    endif()
endfunction()

set(site ${BUILD}/site)
set(work ${BUILD}/site.work)
file(REMOVE_RECURSE ${site} ${work})
file(MAKE_DIRECTORY ${site}/words ${work}/words)

file(READ ${LIST} files)
set(names)
set(scripts)
foreach(entry IN LISTS files)
    string(REGEX MATCH "^([^=]+)=(.*)$" entry "${entry}")
    set(name ${CMAKE_MATCH_1})
    set(file ${CMAKE_MATCH_2})
    cmake_path(GET name PARENT_PATH folder)
    file(COPY ${file} DESTINATION ${site}/${folder})
    list(APPEND names ${name})
    if(name MATCHES "[.]js$")
        list(APPEND scripts ${file})
    endif()
endforeach()

# Of each catalogue what the page uses. Without dates, so that the same texts make the same files.
set(template ${work}/words.pot)
run(${XGETTEXT} --from-code=UTF-8 --language=JavaScript --keyword --keyword=_ --keyword=N_ --keyword=n_:1,2
    --force-po --no-location --output=${template} ${scripts})
file(READ ${template} texts)
string(REGEX REPLACE "\"POT-Creation-Date[^\n]*\n" "" texts "${texts}")
string(REPLACE "charset=CHARSET" "charset=UTF-8" texts "${texts}")
file(WRITE ${template} "${texts}")
foreach(po IN LISTS PO)
    cmake_path(GET po STEM language)
    set(merged ${work}/words/${language}.po)
    run(msgmerge --quiet --no-fuzzy-matching --output-file=${merged} ${po} ${template})
    run(msgattrib --translated --no-obsolete --output-file=${merged} ${merged})
    run(msgfmt --output-file=${site}/words/${language}.mo ${merged})
    list(APPEND names words/${language}.mo)
endforeach()

list(SORT names)
set(all "")
set(others)
set(hashes)
foreach(name IN LISTS names)
    file(SHA256 ${site}/${name} hash)
    string(APPEND all "${name} ${hash}\n")
    if(NOT name STREQUAL "service.js")
        string(SUBSTRING ${hash} 0 16 hash)
        list(APPEND others ${name})
        list(APPEND hashes ${hash})
    endif()
endforeach()
string(SHA256 version "${all}")
string(SUBSTRING ${version} 0 16 version)
if(EXISTS ${site}/service.js)
    list(JOIN others " " FILES)
    list(JOIN hashes " " HASHES)
    set(VERSION ${version})
    file(RENAME ${site}/service.js ${work}/service.js)
    configure_file(${work}/service.js ${site}/service.js @ONLY)
endif()

# The page asks whether there is a server. Where the program answers, this file is not read.
file(WRITE ${site}/api/server "{\"addresses\":false}\n")

# For the program each file twice, where that is worth it.
set(pages)
foreach(name IN LISTS names)
    list(APPEND pages ${name}=${site}/${name})
    set(packed ${work}/packed/${name}.gz)
    cmake_path(GET packed PARENT_PATH folder)
    file(MAKE_DIRECTORY ${folder})
    execute_process(COMMAND ${GZIP} -9 -n -c ${site}/${name} OUTPUT_FILE ${packed} COMMAND_ERROR_IS_FATAL ANY)
    file(SIZE ${site}/${name} plain)
    file(SIZE ${packed} small)
    if(small LESS plain)
        list(APPEND pages ${name}.gz=${packed})
    endif()
endforeach()
file(WRITE ${BUILD}/pages.list "${pages}")
