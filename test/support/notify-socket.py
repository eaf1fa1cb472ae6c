"""Receives what systemd-notify sends, as systemd does: prints a line for each assignment, and closes the descriptors of barriers."""
import array
import os
import socket
import sys

receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1])
print("bound", flush=True)
while True:
    data, ancillary, _, _ = receiver.recvmsg(4096, socket.CMSG_SPACE(16))
    for level, kind, content in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            descriptors = array.array("i")
            descriptors.frombytes(content[: len(content) - len(content) % descriptors.itemsize])
            for descriptor in descriptors:
                os.close(descriptor)
    for line in data.decode().split("\n"):
        if line not in ("", "BARRIER=1"):
            print(line, flush=True)
