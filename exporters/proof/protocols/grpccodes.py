# SPDX-License-Identifier: Apache-2.0
"""Calls of gRPC that fail with every code in turn: grpccodes.py serve|ask|stream PORT [SOCKET|explained]."""
import socket
import sys
import threading
from concurrent import futures

import grpc

CODES = {code.value[0]: code for code in grpc.StatusCode}
FAILURES = {2, 4, 12, 13, 14, 15}  # 500 and above in gRPC's mapping to HTTP
told, failed, lock = 0, 0, threading.Lock()


def end(question, context):
    """Answers a question, CODE and what to say, as it asks."""
    global told, failed
    code, _, words = question.decode().partition(" ")
    with lock:
        told += 1
        failed += int(code) in FAILURES
    if code != "0":
        context.abort(CODES[int(code)], words)


def call(question, context):
    end(question, context)
    return b"answer"


def stream(questions, context):
    for question in questions:
        yield b"answer"
    end(question, context)


def tell(path):
    with socket.socket(socket.AF_UNIX) as s:
        s.bind(path)
        s.listen()
        while True:
            peer, _ = s.accept()
            with peer, lock:
                peer.sendall(f"{told} {failed}\n".encode())


def serve(port, path):
    server = grpc.server(futures.ThreadPoolExecutor(8))
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("codes.Service", {
        "Call": grpc.unary_unary_rpc_method_handler(call),
        "Stream": grpc.stream_stream_rpc_method_handler(stream),
    })])
    server.add_insecure_port(f"127.0.0.1:{port}")
    server.start()
    tell(path)


def ask(port, explained=""):
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        method = channel.unary_unary("/codes.Service/Call")

        def one(i):
            code = i % 17
            question = f"{code} {'because of %d' % i if explained else ''}".encode()
            try:
                method(question, timeout=20)
                got = 0
            except grpc.RpcError as e:
                got = e.code().value[0]
            assert got == code, (got, code)

        with futures.ThreadPoolExecutor(10) as pool:
            list(pool.map(one, range(3000)))


def ask_streams(port):
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        method = channel.stream_stream("/codes.Service/Stream")
        for i in range(340):
            try:
                for _ in method(iter([b"%d x" % (i % 17)] * 3), timeout=20):
                    pass
            except grpc.RpcError as e:
                assert e.code().value[0] == i % 17, e


if __name__ == "__main__":
    {"serve": serve, "ask": ask, "stream": ask_streams}[sys.argv[1]](*sys.argv[2:])
