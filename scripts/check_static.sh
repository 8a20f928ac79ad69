#!/bin/sh
# check_static.sh TOOL...: fails when a tool of `make static` would not start on a machine that has
# only glibc 2.35: it names each library beyond glibc and each symbol version that is newer.
status=0
for tool in "$@"; do
  foreign=$(objdump -p "$tool" | sed -n 's/^ *NEEDED *//p' |
    grep -v -E '^(libc|libm|libdl|libpthread|librt|ld-linux-x86-64)\.so\.[0-9]+$')
  newest=$(objdump -T "$tool" | grep -o 'GLIBC_2\.[0-9]*' | sort -Vu | tail -n 1)
  if [ -n "$foreign" ]; then
    echo "error: $tool needs" $foreign >&2
    status=1
  fi
  if [ "$(printf '%s\nGLIBC_2.35\n' "$newest" | sort -V | tail -n 1)" != GLIBC_2.35 ]; then
    echo "error: $tool needs $newest, later than GLIBC_2.35" >&2
    status=1
  fi
  echo "$tool: $(($(stat -L -c %s "$tool") / 1048576)) MiB, needs $newest"
done
exit $status
