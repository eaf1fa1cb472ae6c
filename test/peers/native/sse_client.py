"""Reads a stream of server-sent events with a client of Python, and prints the data of each message as JSON: CLIENT URL."""
import importlib.util
import json
import sys
import sysconfig

import httpx
import httpx_sse
import requests

client, url = sys.argv[1:]


def messages():
    if client == "httpx-sse":
        with httpx_sse.connect_sse(httpx.Client(), "GET", url) as source:
            yield from source.iter_sse()
    elif client == "sseclient-py":
        import sseclient  # the package; sseclient.py beside it is the other one

        yield from sseclient.SSEClient(requests.get(url, stream=True)).events()
    elif client == "sseclient":
        path = sysconfig.get_path("purelib") + "/sseclient.py"
        spec = importlib.util.spec_from_file_location("sseclient_module", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for message in module.SSEClient(url):  # connects again by itself at the end, so it is left before
            yield message
            if message.data == '"b"':
                return


for message in messages():
    print(json.dumps(message.data), flush=True)
