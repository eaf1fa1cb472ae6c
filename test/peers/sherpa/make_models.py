"""Writes one model of each family that sherpa-onnx runs, with the real inputs, outputs and metadata, and random weights.

    make_models.py FOLDER

What they write is noise; that they load and decode is the point. The same weights every time, about 400 kB in all.
"""
import base64
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT64, INT32 = TensorProto.FLOAT, TensorProto.INT64, TensorProto.INT32
MELS = 80
WIDTH = 16
# Word pieces as SentencePiece writes them; ids follow the order.
PIECES = ['▁go', '▁left', '▁ten', '▁push', 'ing', 's', '▁lane', '▁now', '▁heal', 'er', '▁mid', '▁back']
random = np.random.default_rng(34)


def weights(name, *shape):
    return numpy_helper.from_array((random.standard_normal(shape) * 0.3).astype(np.float32), name)


def constant(name, values, kind):
    return numpy_helper.from_array(np.asarray(values, dtype=kind), name)


def tensor(name, kind, *shape):
    return helper.make_tensor_value_info(name, kind, shape)


def node(kind, inputs, outputs, **attributes):
    return helper.make_node(kind, inputs.split(), outputs.split(), **attributes)


def save(file, inputs, outputs, nodes, initializers, metadata=None):
    graph = helper.make_graph(nodes, file.stem, inputs, outputs, initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 13)], ir_version=8)
    for key, value in (metadata or {}).items():
        model.metadata_props.add(key=key, value=str(value))
    onnx.checker.check_model(model)
    file.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, file)


def tokens(folder, symbols, encode=str):
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f'{encode(symbol)} {index}\n' for index, symbol in enumerate(symbols)]
    (folder / 'tokens.txt').write_text(''.join(lines), encoding='utf-8')


def whisper(folder):
    """Text pieces come first; the other tokens are never chosen because of the bias."""
    tokens(folder, PIECES, lambda piece: base64.b64encode(piece.replace('▁', ' ').encode()).decode())
    text, context = len(PIECES), 448
    eot, sot, english, german, translate, transcribe, no_speech, no_timestamps = range(text, text + 8)
    vocabulary = no_timestamps + 1 + 1501
    save(
        folder / 'tiny-encoder.onnx',
        [tensor('mel', FLOAT, 1, MELS, 'T')],
        [tensor(name, FLOAT, 1, 1, 'T', WIDTH) for name in ('n_layer_cross_k', 'n_layer_cross_v')],
        [
            node('Transpose', 'mel', 'frames', perm=[0, 2, 1]),
            node('MatMul', 'frames k', 'keys'),
            node('MatMul', 'frames v', 'values'),
            node('Unsqueeze', 'keys first', 'n_layer_cross_k'),
            node('Unsqueeze', 'values first', 'n_layer_cross_v'),
        ],
        [weights('k', MELS, WIDTH), weights('v', MELS, WIDTH), constant('first', [0], np.int64)],
        {
            'model_type': 'whisper-tiny', 'version': 1, 'maintainer': 'k2-fsa', 'n_mels': MELS, 'n_audio_ctx': 1500,
            'n_audio_state': WIDTH, 'n_audio_head': 1, 'n_audio_layer': 1, 'n_vocab': vocabulary, 'n_text_ctx': context,
            'n_text_state': WIDTH, 'n_text_head': 1, 'n_text_layer': 1, 'sot_sequence': f'{sot},{english},{transcribe}',
            'all_language_tokens': f'{english},{german}', 'all_language_codes': 'en,de', 'sot': sot, 'sot_index': 0,
            'eot': eot, 'blank_id': 0, 'is_multilingual': 1, 'no_speech': no_speech, 'non_speech_tokens': '',
            'transcribe': transcribe, 'translate': translate, 'sot_prev': sot, 'sot_lm': sot, 'no_timestamps': no_timestamps,
        },
    )
    bias = np.full(vocabulary, -100, np.float32)
    bias[:text] = 0
    caches = [tensor(f'{way}_n_layer_self_{part}_cache', FLOAT, 1, 'N', context, WIDTH) for way in ('in', 'out') for part in 'kv']
    save(
        folder / 'tiny-decoder.onnx',
        [
            tensor('tokens', INT64, 'N', 'L'),
            *caches[:2],
            tensor('n_layer_cross_k', FLOAT, 1, 'N', 'T', WIDTH),
            tensor('n_layer_cross_v', FLOAT, 1, 'N', 'T', WIDTH),
            tensor('offset', INT64, 1),
        ],
        [tensor('logits', FLOAT, 'N', 'L', vocabulary), *caches[2:]],
        [
            node('Gather', 'embedding tokens', 'embedded'),
            node('ReduceMean', 'n_layer_cross_k', 'heard', axes=[0, 2], keepdims=0),
            node('Tanh', 'heard', 'bounded'),
            node('Unsqueeze', 'bounded second', 'context'),
            node('Add', 'embedded context', 'mixed'),
            node('Gather', 'positions offset', 'position'),
            node('Add', 'mixed position', 'placed'),
            node('MatMul', 'placed out', 'scores'),
            node('Add', 'scores bias', 'logits'),
            node('Identity', 'in_n_layer_self_k_cache', 'out_n_layer_self_k_cache'),
            node('Identity', 'in_n_layer_self_v_cache', 'out_n_layer_self_v_cache'),
        ],
        [
            weights('embedding', vocabulary, WIDTH), weights('positions', context, WIDTH), weights('out', WIDTH, vocabulary),
            constant('bias', bias, np.float32), constant('second', [1], np.int64),
        ],
    )


def zipformer(folder):
    symbols = ['<blk>', '<sos/eos>', '<unk>', *PIECES]
    tokens(folder, symbols)
    save(
        folder / 'encoder-epoch-99-avg-1.onnx',
        [tensor('x', FLOAT, 'N', 'T', MELS), tensor('x_lens', INT64, 'N')],
        [tensor('encoder_out', FLOAT, 'N', 'S', WIDTH), tensor('encoder_out_lens', INT64, 'N')],
        [
            node('Slice', 'x start end axis step', 'every_fourth'),
            node('MatMul', 'every_fourth w', 'encoder_out'),
            node('Add', 'x_lens three', 'rounded'),
            node('Div', 'rounded step', 'encoder_out_lens'),
        ],
        [
            weights('w', MELS, WIDTH), constant('start', [0], np.int64), constant('end', [2**31 - 1], np.int64),
            constant('axis', [1], np.int64), constant('step', [4], np.int64), constant('three', [3], np.int64),
        ],
        {'model_type': 'zipformer2', 'version': 1, 'model_author': 'k2-fsa', 'comment': 'non-streaming zipformer2'},
    )
    transducer(folder, 'epoch-99-avg-1', symbols)


def transducer(folder, suffix, symbols):
    """What is the same in both Zipformers: the decoder, and the joiner of what was heard and what was said before."""
    save(
        folder / f'decoder-{suffix}.onnx',
        [tensor('y', INT64, 'N', 2)],
        [tensor('decoder_out', FLOAT, 'N', WIDTH)],
        [node('Gather', 'embedding y', 'embedded'), node('ReduceMean', 'embedded', 'decoder_out', axes=[1], keepdims=0)],
        [weights('embedding', len(symbols), WIDTH)],
        {'context_size': 2, 'vocab_size': len(symbols)},
    )
    save(
        folder / f'joiner-{suffix}.onnx',
        [tensor('encoder_out', FLOAT, 'N', WIDTH), tensor('decoder_out', FLOAT, 'N', WIDTH)],
        [tensor('logit', FLOAT, 'N', len(symbols))],
        [node('Add', 'encoder_out decoder_out', 'sum'), node('Tanh', 'sum', 'bounded'), node('MatMul', 'bounded w', 'logit')],
        [weights('w', WIDTH, len(symbols))],
        {'joiner_dim': WIDTH},
    )


def moonshine(folder):
    symbols = ['<unk>', '<s>', '</s>', *PIECES]
    tokens(folder, symbols)
    save(
        folder / 'preprocess.onnx',
        [tensor('audio', FLOAT, 1, 'samples')],
        [tensor('features', FLOAT, 1, 'T', WIDTH)],
        [
            node('Unsqueeze', 'audio second', 'channel'),
            node('Conv', 'channel kernel', 'filtered', strides=[384]),
            node('Transpose', 'filtered', 'features', perm=[0, 2, 1]),
        ],
        [weights('kernel', WIDTH, 1, 384), constant('second', [1], np.int64)],
    )
    save(
        folder / 'encode.onnx',
        [tensor('features', FLOAT, 1, 'T', WIDTH), tensor('features_length', INT32, 1)],
        [tensor('encoder_out', FLOAT, 1, 'T', WIDTH)],
        [node('MatMul', 'features w', 'encoder_out')],
        [weights('w', WIDTH, WIDTH)],
    )
    embedding, out = weights('embedding', len(symbols), WIDTH), weights('out', WIDTH, len(symbols))
    for file, states in (('uncached_decode.onnx', []), ('cached_decode.onnx', ['k', 'v'])):
        save(
            folder / file,
            [
                tensor('tokens', INT32, 1, 1), tensor('encoder_out', FLOAT, 1, 'T', WIDTH), tensor('seq_len', INT32, 1),
                *[tensor(f'{name}_in', FLOAT, 1, 1, WIDTH) for name in states],
            ],
            [tensor('logits', FLOAT, 1, 1, len(symbols)), *[tensor(name, FLOAT, 1, 1, WIDTH) for name in 'kv']],
            [
                node('Gather', 'embedding tokens', 'embedded'),
                node('ReduceMean', 'encoder_out', 'mean', axes=[1], keepdims=1),
                node('Tanh', 'mean', 'context'),
                node('Add', 'embedded context', 'mixed'),
                node('Cast', 'seq_len', 'length', to=FLOAT),
                node('Mul', 'length phase', 'angle'),
                node('Sin', 'angle', 'position'),
                node('Add', 'mixed position', 'placed'),
                *([node('Add', 'placed k_in', 'k')] if states else [node('Identity', 'placed', 'k')]),
                *([node('Identity', 'v_in', 'v')] if states else [node('Identity', 'embedded', 'v')]),
                node('MatMul', 'placed out', 'logits'),
            ],
            [embedding, out, weights('phase', WIDTH)],
        )


def sense_voice(folder):
    specials = ['<|en|>', '<|NEUTRAL|>', '<|Speech|>', '<|woitn|>']
    symbols = ['<unk>', '<s>', '</s>', *PIECES, *specials]
    tokens(folder, symbols)
    prefix = np.zeros((1, 4, len(symbols)), np.float32)
    for index in range(4):
        prefix[0, index, len(symbols) - 4 + index] = 100
    bias = np.zeros(len(symbols), np.float32)
    bias[[1, 2]] = -100
    bias[-4:] = -100
    frame = MELS * 7
    save(
        folder / 'model.onnx',
        [tensor('x', FLOAT, 'N', 'T', frame), *[tensor(name, INT32, 'N') for name in ('x_length', 'language', 'text_norm')]],
        [tensor('logits', FLOAT, 'N', 'S', len(symbols))],
        [
            node('MatMul', 'x w', 'scores'),
            node('Add', 'scores bias', 'biased'),
            node('Concat', 'prefix biased', 'logits', axis=1),
        ],
        [weights('w', frame, len(symbols)), constant('bias', bias, np.float32), constant('prefix', prefix, np.float32)],
        {
            'model_type': 'sense_voice_ctc', 'version': 1, 'comment': 'a small one', 'vocab_size': len(symbols),
            'blank_id': 0, 'lfr_window_size': 7, 'lfr_window_shift': 6, 'normalize_samples': 0, 'with_itn': 14,
            'without_itn': 15, 'lang_auto': 0, 'lang_zh': 3, 'lang_en': 4, 'lang_yue': 7, 'lang_ja': 11, 'lang_ko': 12,
            'neg_mean': ','.join(['0.0'] * frame), 'inv_stddev': ','.join(['0.1'] * frame),
        },
    )


def nemo_ctc(folder):
    symbols = [*PIECES, '<blk>']
    tokens(folder, symbols)
    save(
        folder / 'model.onnx',
        [tensor('audio_signal', FLOAT, 'N', MELS, 'T'), tensor('length', INT64, 'N')],
        [tensor('logprobs', FLOAT, 'N', 'S', len(symbols))],
        [
            node('Transpose', 'audio_signal', 'frames', perm=[0, 2, 1]),
            node('Slice', 'frames start end axis step', 'every_eighth'),
            node('MatMul', 'every_eighth w', 'scores'),
            node('LogSoftmax', 'scores', 'logprobs', axis=2),
        ],
        [
            weights('w', MELS, len(symbols)), constant('start', [0], np.int64), constant('end', [2**31 - 1], np.int64),
            constant('axis', [1], np.int64), constant('step', [8], np.int64),
        ],
        {
            'model_type': 'EncDecCTCModelBPE', 'version': 1, 'vocab_size': len(PIECES), 'subsampling_factor': 8,
            'normalize_type': 'per_feature', 'comment': 'a small one',
        },
    )


def parakeet_tdt(folder):
    """NeMo's token-and-duration transducer: the joiner's output has the tokens, the blank, and five durations."""
    symbols, durations, mels = [*PIECES, '<blk>'], 5, 128
    tokens(folder, symbols)
    save(
        folder / 'encoder.int8.onnx',
        [tensor('audio_signal', FLOAT, 'N', mels, 'T'), tensor('length', INT64, 'N')],
        [tensor('outputs', FLOAT, 'N', WIDTH, 'S'), tensor('encoded_lengths', INT64, 'N')],
        [
            node('Transpose', 'audio_signal', 'frames', perm=[0, 2, 1]),
            node('Slice', 'frames start end axis step', 'every_eighth'),
            node('MatMul', 'every_eighth w', 'encoded'),
            node('Transpose', 'encoded', 'outputs', perm=[0, 2, 1]),
            node('Add', 'length seven', 'rounded'),
            node('Div', 'rounded step', 'encoded_lengths'),
        ],
        [
            weights('w', mels, WIDTH), constant('start', [0], np.int64), constant('end', [2**31 - 1], np.int64),
            constant('axis', [1], np.int64), constant('step', [8], np.int64), constant('seven', [7], np.int64),
        ],
        {
            'model_type': 'EncDecRNNTBPEModel', 'version': 1, 'model_author': 'NeMo', 'vocab_size': len(PIECES),
            'normalize_type': 'per_feature', 'subsampling_factor': 8, 'pred_rnn_layers': 1, 'pred_hidden': WIDTH,
            'feat_dim': mels, 'url': 'https://huggingface.co/nvidia/parakeet-tdt-0.6b-v3',
        },
    )
    states = [tensor(f'{way}states.{part}', FLOAT, 1, 'N', WIDTH) for way in ('', 'out_') for part in (1, 2)]
    save(
        folder / 'decoder.int8.onnx',
        [tensor('targets', INT32, 'N', 'L'), tensor('target_length', INT32, 'N'), *states[:2]],
        [tensor('outputs', FLOAT, 'N', WIDTH, 'L'), tensor('prednet_lengths', INT32, 'N'), *states[2:]],
        [
            node('Gather', 'embedding targets', 'embedded'),
            node('Transpose', 'embedded', 'outputs', perm=[0, 2, 1]),
            node('Identity', 'target_length', 'prednet_lengths'),
            node('Identity', 'states.1', 'out_states.1'),
            node('Identity', 'states.2', 'out_states.2'),
        ],
        [weights('embedding', len(symbols), WIDTH)],
    )
    save(
        folder / 'joiner.int8.onnx',
        [tensor('encoder_outputs', FLOAT, 'N', WIDTH, 'S'), tensor('decoder_outputs', FLOAT, 'N', WIDTH, 'L')],
        [tensor('outputs', FLOAT, 'N', 'S', 'L', len(symbols) + durations)],
        [
            node('Transpose', 'encoder_outputs', 'heard', perm=[0, 2, 1]),
            node('Transpose', 'decoder_outputs', 'said', perm=[0, 2, 1]),
            node('Unsqueeze', 'heard third', 'heard_4d'),
            node('Unsqueeze', 'said second', 'said_4d'),
            node('Add', 'heard_4d said_4d', 'sum'),
            node('Tanh', 'sum', 'bounded'),
            node('MatMul', 'bounded w', 'outputs'),
        ],
        [
            weights('w', WIDTH, len(symbols) + durations), constant('third', [2], np.int64),
            constant('second', [1], np.int64),
        ],
    )


def zipformer_streaming(folder):
    """Hears 32 frames at a time, with 13 more ahead. What it writes depends on the chunk and on what was heard before."""
    symbols = ['<blk>', '<sos/eos>', '<unk>', *PIECES]
    tokens(folder, symbols)
    frames, chunk, left, query, kernel = 45, 32, 16, 4, 3
    shapes = {
        'cached_key_0': (left, 'N', query), 'cached_nonlin_attn_0': (1, 'N', left, 3 * WIDTH // 4),
        'cached_val1_0': (left, 'N', WIDTH), 'cached_val2_0': (left, 'N', WIDTH),
        'cached_conv1_0': ('N', WIDTH, kernel // 2), 'cached_conv2_0': ('N', WIDTH, kernel // 2),
        'embed_states': ('N', 128, 3, ((MELS - 1) // 2 - 1) // 2),
    }
    states = [tensor(name, FLOAT, *shape) for name, shape in shapes.items()]
    unchanged = [name for name in shapes if name != 'cached_val1_0']
    save(
        folder / 'encoder-epoch-99-avg-1-chunk-16-left-128.onnx',
        [tensor('x', FLOAT, 'N', frames, MELS), *states, tensor('processed_lens', INT64, 'N')],
        [
            tensor('encoder_out', FLOAT, 'N', chunk // 4, WIDTH),
            *[tensor(f'new_{name}', FLOAT, *shape) for name, shape in shapes.items()],
            tensor('new_processed_lens', INT64, 'N'),
        ],
        [
            node('Slice', 'x start end second step', 'every_fourth'),
            node('MatMul', 'every_fourth w', 'heard'),
            node('ReduceMean', 'cached_val1_0', 'mean', axes=[0], keepdims=0),
            node('Tanh', 'mean', 'bounded'),
            node('Unsqueeze', 'bounded second', 'before'),
            node('Add', 'heard before', 'encoder_out'),
            node('Transpose', 'heard', 'newest', perm=[1, 0, 2]),
            node('Concat', 'cached_val1_0 newest', 'history', axis=0),
            node('Slice', 'history newest_count history_end first', 'new_cached_val1_0'),
            node('Add', 'processed_lens chunk', 'new_processed_lens'),
            *[node('Identity', name, f'new_{name}') for name in unchanged],
        ],
        [
            weights('w', MELS, WIDTH), constant('start', [0], np.int64), constant('end', [chunk], np.int64),
            constant('first', [0], np.int64), constant('second', [1], np.int64), constant('step', [4], np.int64),
            constant('newest_count', [chunk // 4], np.int64), constant('history_end', [2**31 - 1], np.int64),
            constant('chunk', [chunk], np.int64),
        ],
        {
            'model_type': 'zipformer2', 'version': 1, 'model_author': 'k2-fsa', 'comment': 'streaming zipformer2',
            'decode_chunk_len': chunk, 'T': frames, 'num_encoder_layers': 1, 'encoder_dims': WIDTH,
            'cnn_module_kernels': kernel, 'left_context_len': left, 'query_head_dims': query, 'value_head_dims': WIDTH,
            'num_heads': 1,
        },
    )
    transducer(folder, 'epoch-99-avg-1-chunk-16-left-128', symbols)


def main(folder):
    for name, make in (
        ('whisper-tiny', whisper), ('zipformer', zipformer), ('moonshine', moonshine), ('sense-voice', sense_voice),
        ('nemo-ctc', nemo_ctc), ('parakeet-tdt', parakeet_tdt), ('zipformer-streaming', zipformer_streaming),
    ):
        make(folder / name)


main(Path(sys.argv[1]))
