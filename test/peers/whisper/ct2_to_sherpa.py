"""Writes the Whisper weights of a CTranslate2 folder as sherpa-onnx runs them: encoder and decoder, quantised, and tokens.

Usage: ct2_to_sherpa.py CT2_FOLDER OUT_FOLDER SIZE
"""

import base64
import json
import os
import re
import struct
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

source, out, size = sys.argv[1:4]
CONTEXT = 448
DTYPES = {0: np.float32, 1: np.int8, 2: np.int16, 3: np.int32, 4: np.float16}


def read_variables(path):
    """Reads the variables of a model.bin: name, shape, type and bytes of each, little-endian."""
    with open(path, "rb") as file:
        number = lambda form: struct.unpack("<" + form, file.read(struct.calcsize(form)))[0]
        text = lambda: file.read(number("H")).decode().rstrip("\0")
        if number("I") >= 2:  # version of the format
            text(), number("I")  # name and revision of the model
        variables = {}
        for _ in range(number("I")):
            name = text()
            shape = [number("I") for _ in range(number("B"))]
            dtype = DTYPES[number("B")]
            variables[name] = np.frombuffer(file.read(number("I")), dtype=dtype).reshape(shape)
        return variables


variables = read_variables(f"{source}/model.bin")
weights = lambda name: variables[name].astype(np.float32)
layers_of = lambda part: len({name.split("/")[1] for name in variables if re.match(rf"{part}/layer_\d", name)})
HEADS = int(variables["decoder/num_heads"])
WIDTH = variables["decoder/position_encodings/encodings"].shape[1]
VOCABULARY = variables["decoder/embeddings/weight"].shape[0]
ENCODER_LAYERS, DECODER_LAYERS = layers_of("encoder"), layers_of("decoder")


class Graph:
    """Nodes and constants of an ONNX graph; each method adds what it computes, and returns the name of the result."""

    def __init__(self):
        self.nodes, self.constants, self.known, self.count = [], [], {}, 0

    def weight(self, array):
        name = f"w{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def const(self, value, dtype=np.int64):
        array = np.asarray(value, dtype=dtype)
        key = (array.tobytes(), array.shape, array.dtype.name)
        if key not in self.known:
            self.known[key] = self.weight(array)
        return self.known[key]

    def op(self, kind, inputs, n=1, outputs=None, **attributes):
        outputs = outputs or [f"t{self.count + index}" for index in range(n)]
        self.count += n
        self.nodes.append(helper.make_node(kind, inputs, outputs, **attributes))
        return outputs[0] if n == 1 else outputs

    def number(self, value):
        return self.const(np.float32(value), np.float32)

    def linear(self, x, name):
        y = self.op("MatMul", [x, self.weight(weights(name + "/weight").T)])
        bias = name + "/bias"
        return self.op("Add", [y, self.weight(weights(bias))]) if bias in variables else y

    def gelu(self, x):
        erf = self.op("Erf", [self.op("Mul", [x, self.number(1 / np.sqrt(2))])])
        return self.op("Mul", [self.op("Mul", [x, self.op("Add", [erf, self.number(1)])]), self.number(0.5)])

    def norm(self, x, name):
        scale, bias = self.weight(weights(name + "/gamma")), self.weight(weights(name + "/beta"))
        return self.op("LayerNormalization", [x, scale, bias], axis=-1, epsilon=1e-5)

    def split(self, x, n):
        return self.op("Split", [x, self.const([WIDTH] * n)], n=n, axis=-1)

    def slice(self, x, start, end, axis):
        return self.op("Slice", [x, start, end, self.const([axis])])

    def layer(self, x, index):
        """One layer of a stack of tensors."""
        return self.op("Squeeze", [self.slice(x, self.const([index]), self.const([index + 1]), 0), self.const([0])])

    def unsqueeze(self, x):
        return self.op("Unsqueeze", [x, self.const([0])])

    def attention(self, q, k, v, mask=None):
        heads = lambda x, order: self.op(
            "Transpose", [self.op("Reshape", [x, self.const([0, 0, HEADS, WIDTH // HEADS])])], perm=order
        )
        products = self.op("MatMul", [heads(q, [0, 2, 1, 3]), heads(k, [0, 2, 3, 1])])
        scores = self.op("Mul", [products, self.number((WIDTH // HEADS) ** -0.5)])
        if mask:
            scores = self.op("Add", [scores, mask])
        mixed = self.op("MatMul", [self.op("Softmax", [scores], axis=-1), heads(v, [0, 2, 1, 3])])
        return self.op("Reshape", [self.op("Transpose", [mixed], perm=[0, 2, 1, 3]), self.const([0, 0, WIDTH])])

    def feed_forward(self, x, name):
        hidden = self.gelu(self.linear(self.norm(x, name + "/layer_norm"), name + "/linear_0"))
        return self.op("Add", [x, self.linear(hidden, name + "/linear_1")])

    def save(self, name, inputs, outputs, metadata):
        model = helper.make_model(
            helper.make_graph(self.nodes, "g", inputs, outputs, self.constants),
            opset_imports=[helper.make_opsetid("", 17)],
            ir_version=8,
        )
        with tempfile.TemporaryDirectory() as folder:
            onnx.save(model, f"{folder}/whole.onnx")
            # As the scripts of sherpa-onnx quantise their models.
            quantize_dynamic(
                f"{folder}/whole.onnx", f"{folder}/small.onnx", op_types_to_quantize=["MatMul"], weight_type=QuantType.QInt8
            )
            model = onnx.load(f"{folder}/small.onnx")
        for key, value in metadata.items():
            model.metadata_props.add(key=key, value=str(value))
        onnx.save(model, f"{out}/{size}-{name}.int8.onnx")


info = helper.make_tensor_value_info
cross = [info(f"n_layer_cross_{part}", TensorProto.FLOAT, [DECODER_LAYERS, "N", "S", WIDTH]) for part in "kv"]
caches = lambda way: [
    info(f"{way}_n_layer_self_{part}_cache", TensorProto.FLOAT, [DECODER_LAYERS, "N", CONTEXT, WIDTH]) for part in "kv"
]


def write_encoder(metadata):
    g = Graph()
    x = "mel"
    for number, strides in ((1, [1]), (2, [2])):
        conv = [g.weight(weights(f"encoder/conv{number}/{kind}")) for kind in ("weight", "bias")]
        x = g.gelu(g.op("Conv", [x, *conv], pads=[1, 1], strides=strides))
    x = g.op("Transpose", [x], perm=[0, 2, 1])
    length = g.op("Gather", [g.op("Shape", [x]), g.const([1])])
    positions = g.weight(weights("encoder/position_encodings/encodings"))
    x = g.op("Add", [x, g.slice(positions, g.const([0]), length, 0)])
    for index in range(ENCODER_LAYERS):
        name = f"encoder/layer_{index}"
        own = name + "/self_attention"
        q, k, v = g.split(g.linear(g.norm(x, own + "/layer_norm"), own + "/linear_0"), 3)
        x = g.op("Add", [x, g.linear(g.attention(q, k, v), own + "/linear_1")])
        x = g.feed_forward(x, name + "/ffn")
    x = g.norm(x, "encoder/layer_norm")
    pairs = [g.split(g.linear(x, f"decoder/layer_{index}/attention/linear_1"), 2) for index in range(DECODER_LAYERS)]
    for part, tensors in zip("kv", zip(*pairs)):
        g.op("Concat", [g.unsqueeze(one) for one in tensors], outputs=[f"n_layer_cross_{part}"], axis=0)
    g.save("encoder", [info("mel", TensorProto.FLOAT, ["N", 80, "T"])], cross, metadata)


def write_decoder():
    g = Graph()
    length = g.op("Gather", [g.op("Shape", ["tokens"]), g.const([1])])
    end = g.op("Add", ["offset", length])
    embeddings = variables["decoder/embeddings/weight"]  # half as large as numbers of 32 bits
    positions = g.weight(weights("decoder/position_encodings/encodings"))
    embedded = g.op("Cast", [g.op("Gather", [g.weight(embeddings), "tokens"])], to=TensorProto.FLOAT)
    x = g.op("Add", [embedded, g.slice(positions, "offset", end, 0)])
    mask = g.weight(np.triu(np.full((CONTEXT, CONTEXT), -1e9, np.float32), 1))
    mask = g.slice(g.slice(mask, "offset", end, 0), g.const([0]), end, 1)
    written = {"k": [], "v": []}
    for index in range(DECODER_LAYERS):
        name = f"decoder/layer_{index}"
        own = name + "/self_attention"
        q, *new = g.split(g.linear(g.norm(x, own + "/layer_norm"), own + "/linear_0"), 3)
        known = []
        for part, added in zip("kv", new):
            cache = g.layer(f"in_n_layer_self_{part}_cache", index)
            so_far = g.op("Concat", [g.slice(cache, g.const([0]), "offset", 1), added], axis=1)
            known.append(so_far)
            rest = g.slice(cache, end, g.const([CONTEXT]), 1)
            written[part].append(g.unsqueeze(g.op("Concat", [so_far, rest], axis=1)))
        x = g.op("Add", [x, g.linear(g.attention(q, *known, mask), own + "/linear_1")])
        other = name + "/attention"
        q = g.linear(g.norm(x, other + "/layer_norm"), other + "/linear_0")
        heard = [g.layer(f"n_layer_cross_{part}", index) for part in "kv"]
        x = g.op("Add", [x, g.linear(g.attention(q, *heard), other + "/linear_2")])
        x = g.feed_forward(x, name + "/ffn")
    g.op("MatMul", [g.norm(x, "decoder/layer_norm"), g.weight(embeddings.T.astype(np.float32))], outputs=["logits"])
    for part, tensors in written.items():
        g.op("Concat", tensors, outputs=[f"out_n_layer_self_{part}_cache"], axis=0)
    inputs = [info("tokens", TensorProto.INT64, ["N", "L"]), *caches("in"), *cross, info("offset", TensorProto.INT64, [1])]
    g.save("decoder", inputs, [info("logits", TensorProto.FLOAT, ["N", "L", VOCABULARY]), *caches("out")], {})


def metadata_of(tokenizer, config):
    """What sherpa-onnx reads from the encoder."""
    added = {token["content"]: token["id"] for token in tokenizer["added_tokens"]}
    id_of = lambda name: added[f"<|{name}|>"]
    first, last = id_of("startoftranscript"), id_of("translate")
    languages = sorted((id, text[2:-2]) for text, id in added.items() if first < id < last and text.startswith("<|"))
    is_multilingual = VOCABULARY != 51864
    start = [first, id_of("en"), id_of("transcribe")] if is_multilingual else [first]
    joined = lambda values: ",".join(map(str, values))
    return {
        "model_type": f"whisper-{size}",
        "version": 1,
        "maintainer": "k2-fsa",
        "n_mels": 80,
        "n_audio_ctx": 1500,
        "n_audio_state": WIDTH,
        "n_audio_head": HEADS,
        "n_audio_layer": ENCODER_LAYERS,
        "n_vocab": VOCABULARY,
        "n_text_ctx": CONTEXT,
        "n_text_state": WIDTH,
        "n_text_head": HEADS,
        "n_text_layer": DECODER_LAYERS,
        "sot_sequence": joined(start),
        "all_language_tokens": joined(id for id, _ in languages),
        "all_language_codes": joined(code for _, code in languages),
        "sot": first,
        "sot_index": 0,
        "eot": id_of("endoftext"),
        "blank_id": config["suppress_ids_begin"][0],
        "is_multilingual": int(is_multilingual),
        "no_speech": id_of("nocaptions" if "<|nocaptions|>" in added else "nospeech"),
        "non_speech_tokens": joined(id for id in config["suppress_ids"] if id > 0),
        "transcribe": id_of("transcribe"),
        "translate": last,
        "sot_prev": id_of("startofprev"),
        "sot_lm": id_of("startoflm"),
        "no_timestamps": id_of("notimestamps"),
    }


def write_tokens(tokenizer, end):
    """Each token in Base64, with its number. The tokenizer writes bytes as printable letters: GPT-2's table, turned round."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    byte_of = {chr(byte): byte for byte in printable} | {chr(256 + index): byte for index, byte in enumerate(others)}
    entries = sorted(tokenizer["model"]["vocab"].items(), key=lambda entry: entry[1])
    with open(f"{out}/{size}-tokens.txt", "w") as file:
        for text, id in entries:
            if id < end and not text.startswith("<|"):
                file.write(base64.b64encode(bytes(byte_of[letter] for letter in text)).decode() + f" {id}\n")


with open(f"{source}/tokenizer.json") as file:
    tokenizer = json.load(file)
with open(f"{source}/config.json") as file:
    metadata = metadata_of(tokenizer, json.load(file))
os.makedirs(out, exist_ok=True)
write_encoder(metadata)
write_decoder()
write_tokens(tokenizer, metadata["eot"])
