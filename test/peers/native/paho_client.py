"""Follows the events of a project by Paho, as MQTT 5 and as MQTT 3.1.1 at once: HOST PORT PROJECT KEY."""
import json
import sys
import time

import paho.mqtt.client as mqtt

host, port, project, key = sys.argv[1:]


def follow(name, protocol):
    def connected(client, _userdata, _flags, reason, _properties):
        print(name, reason, flush=True)
        client.subscribe(f"projects/{project}/events/#", qos=1)

    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=protocol)
    client.username_pw_set(project, key)
    client.on_connect = connected
    client.on_subscribe = lambda _client, _userdata, _id, reasons, _properties: print(name, *reasons, flush=True)
    client.on_message = lambda _client, _userdata, message: print(
        name, message.qos, json.loads(message.payload)["type"], flush=True
    )
    client.connect(host, int(port))
    client.loop_start()


follow("5", mqtt.MQTTv5)
follow("3.1.1", mqtt.MQTTv311)
time.sleep(100)
