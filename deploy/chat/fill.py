# SPDX-License-Identifier: Apache-2.0
"""What is in the chat, always the same: 100 users, 25 rooms of four of them each, and 60 messages in every room. Writes
the tokens of the users and the names of the rooms for nginx, which Synapse draws at random.

fill.py URL SECRET DIRECTORY
"""
import hashlib
import hmac
import http.client
import json
import random
import sys
import urllib.parse

USERS, ROOMS, MESSAGES = 100, 25, 60
SYLLABLES = [a + b for a in "ba ke lo mi ta ru sen vo".split() for b in "di pel no shi fu tor ka gu".split()]

url, secret, directory = sys.argv[1:]
synapse = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc)
drawn = random.Random(1)


def ask(method, path, token="", **fields):
    header = {"Authorization": "Bearer " + token} if token else {}
    synapse.request(method, path, json.dumps(fields) if method != "GET" else None, header)
    answer = synapse.getresponse()
    text = answer.read()
    if answer.status != 200:
        sys.exit(f"{method} {path}: {answer.status} {text.decode()}")
    return json.loads(text)


def client(method, path, token, **fields):
    return ask(method, "/_matrix/client/v3" + path, token, **fields)


def registered(name):
    nonce = ask("GET", "/_synapse/admin/v1/register")["nonce"]
    password = hashlib.sha256((secret + name).encode()).hexdigest()
    said = "\0".join([nonce, name, password, "notadmin"]).encode()
    made = ask("POST", "/_synapse/admin/v1/register", nonce=nonce, username=name, password=password, admin=False,
               mac=hmac.new(secret.encode(), said, hashlib.sha1).hexdigest())
    client("PUT", f"/profile/{made['user_id']}/displayname", made["access_token"], displayname=name.title())
    return made["access_token"]


def words(number):
    return " ".join(drawn.choice(SYLLABLES) + drawn.choice(SYLLABLES) for _ in range(number))


def room(number, members):
    made = client("POST", "/createRoom", members[0], preset="public_chat", name=f"Room {number}", topic=words(10))
    name = made["room_id"]
    path = "/rooms/" + urllib.parse.quote(name)
    for token in members[1:]:
        client("POST", path + "/join", token)
    for i in range(MESSAGES):
        client("PUT", f"{path}/send/m.room.message/{i}", members[i % len(members)], msgtype="m.text", body=words(20))
    return name


def note(name, values):
    with open(f"{directory}/{name}", "w", encoding="utf-8") as out:
        out.writelines(f'{i} "{value}";\n' for i, value in enumerate(values, 1))


tokens = [registered(f"user{i}") for i in range(1, USERS + 1)]
note("rooms", [room(i + 1, tokens[i::ROOMS]) for i in range(ROOMS)])
note("tokens", tokens)
