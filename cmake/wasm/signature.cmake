# signature.wasm: bench/signature.c for tools/wasm_signature.mjs, to compare with native builds.

target_sources(libhairpin PRIVATE cmake/wasm/mem.c)

if(EXISTS ${PROJECT_SOURCE_DIR}/bench/signature_wasm.c)
    add_executable(signature bench/signature_wasm.c bench/signature.c bench/play.c)
    target_link_libraries(signature PRIVATE libhairpin)
    target_link_options(signature PRIVATE -nostdlib -Wl,--no-entry -Wl,--export=signature)
    set_target_properties(signature PROPERTIES SUFFIX .wasm)
endif()
