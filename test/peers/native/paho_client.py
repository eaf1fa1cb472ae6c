"""Connects by Paho as MQTT 5, says how that ends, and follows the events of a project as MQTT 3.1.1: HOST PORT PROJECT KEY."""
import json
import sys

import paho.mqtt.client as mqtt

host, port, project, key = sys.argv[1:]


def connect(protocol, on_connect):
    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=protocol, reconnect_on_failure=False)
    client.username_pw_set(project, key)
    client.on_connect = on_connect
    client.connect(host, int(port))
    return client


def refused(client, _userdata, _flags, reason, _properties):
    print("MQTT 5:", reason, reason.value, flush=True)
    client.disconnect()


def accepted(client, _userdata, _flags, reason, _properties):
    print("MQTT 3.1.1:", reason, flush=True)
    client.subscribe(f"projects/{project}/events/#", qos=1)


connect(mqtt.MQTTv5, refused).loop_forever()
client = connect(mqtt.MQTTv311, accepted)
client.on_subscribe = lambda _client, _userdata, _id, reasons, _properties: print("subscribed", *reasons, flush=True)
client.on_message = lambda _client, _userdata, message: print(json.loads(message.payload)["type"], flush=True)
client.loop_forever()
