# SPDX-License-Identifier: Apache-2.0
"""A back office for tickets, on one event loop: agents' sessions in Redis, tickets and notes in PostgreSQL, and what
takes longer is asked of a worker over RabbitMQ, whose answer comes by a queue of its own.

Pages differ in weight: /ticket, /team and /note ask PostgreSQL, /triage asks the worker, /backlog makes PostgreSQL read
all tickets, /digest computes in Python. Which agent asks is said by the parameter agent.

Faults by environment, in milliseconds, 0 for none: HOLD is how long a page keeps a connection to PostgreSQL before it
asks anything, OUTSIDE is how long a page waits for a service that is no tier, before it asks anything; every two
seconds the one thread computes for BLOCK what it could have computed elsewhere.
"""
import asyncio
import collections
import json
import os
import pathlib
import time
import uuid

import aio_pika
import asyncpg
import fastapi
import redis.asyncio
from fastapi.responses import HTMLResponse

TICKETS, TEAMS = 6000, 40
SESSION = 1800  # seconds
HOLD, OUTSIDE, BLOCK, POOL = (int(os.environ[name]) for name in ("HOLD", "OUTSIDE", "BLOCK", "POOL"))
PASSWORD = pathlib.Path(os.environ["DEMO"], "service/password").read_text()

application = fastapi.FastAPI(default_response_class=HTMLResponse)
store = redis.asyncio.Redis(port=int(os.environ["REDIS_PORT"]), password=PASSWORD, decode_responses=True)


class Office:
    """What is connected when the loop runs."""

    database: asyncpg.Pool
    broker: aio_pika.abc.AbstractConnection
    exchange: aio_pika.abc.AbstractExchange
    answers: aio_pika.abc.AbstractQueue
    waiting: dict[str, asyncio.Future] = {}
    blocking: asyncio.Task | None = None


@application.on_event("startup")
async def begin():
    # A page that waits for a connection waits as long as its reader would.
    Office.database = await asyncpg.create_pool(
        host="127.0.0.1", port=int(os.environ["POSTGRESQL_PORT"]), user="ticketing", database="ticketing",
        password=PASSWORD, ssl=False, min_size=POOL, max_size=POOL, max_inactive_connection_lifetime=0)
    Office.broker = await aio_pika.connect_robust(
        f"amqp://ticketing:{PASSWORD}@127.0.0.1:{os.environ['AMQP_PORT']}/")
    channel = await Office.broker.channel(publisher_confirms=False)
    await channel.declare_queue("triage")
    Office.exchange = channel.default_exchange
    Office.answers = await channel.declare_queue(exclusive=True)
    await Office.answers.consume(answered, no_ack=True)
    if BLOCK:
        Office.blocking = asyncio.create_task(block())


async def block():
    while True:
        await asyncio.sleep(2)
        end = time.monotonic() + BLOCK / 1000
        while time.monotonic() < end:
            likeness("one of many", "another of many")


async def answered(message):
    future = Office.waiting.pop(message.correlation_id, None)
    if future and not future.done():
        future.set_result(json.loads(message.body))


async def ask(question):
    """Has the worker answer a question."""
    number = uuid.uuid4().hex
    future = Office.waiting[number] = asyncio.get_running_loop().create_future()
    message = aio_pika.Message(json.dumps(question).encode(), correlation_id=number, reply_to=Office.answers.name)
    await Office.exchange.publish(message, routing_key="triage")
    return await asyncio.wait_for(future, 20)


async def rows(text, *values):
    """Asks PostgreSQL on a connection of the pool."""
    async with Office.database.acquire() as connection:
        await asyncio.sleep(HOLD / 1000)
        return await connection.fetch(text, *values)


def page(title, found, agent):
    listed = "".join(f'<li><a href="/ticket?id={row["id"]}">{row["title"]}</a></li>' for row in found)
    return f"<!doctype html><title>{title}</title><h1>{title}</h1><p>Agent {agent}</p><ul>{listed}</ul>\n"


async def session(agent: int = 1):
    """Who asks, and what they saw last."""
    if OUTSIDE:
        await asyncio.sleep(OUTSIDE / 1000)
    key = f"session:{agent}"
    seen = await store.get(key)
    await store.set(key, int(seen or 0) + 1, ex=SESSION)
    return agent


Agent = fastapi.Depends(session)


@application.get("/")
async def home(agent=Agent):
    return page("New tickets", await rows("SELECT id, title FROM tickets ORDER BY id DESC LIMIT 30"), agent)


@application.get("/ticket")
async def ticket(id: int, agent=Agent):
    shown = await rows("SELECT id, title, text FROM tickets WHERE id = $1", id)
    notes = await rows("SELECT text FROM notes WHERE ticket = $1 ORDER BY id DESC LIMIT 20", id)
    return page(shown[0]["text"], shown, agent) + "".join(f"<p>{note['text']}</p>" for note in notes)


@application.get("/team")
async def team(id: int, agent=Agent):
    return page(f"Team {id}", await rows(
        "SELECT id, title FROM tickets WHERE team = $1 ORDER BY id DESC LIMIT 30", id), agent)


@application.get("/note")
async def note(id: int, agent=Agent):
    await rows("INSERT INTO notes (ticket, text) VALUES ($1, $2)", id, f"Agent {agent} has had a look")
    await store.incr(f"notes:{id}")
    return page("Noted", [], agent)


@application.get("/triage")
async def triage(id: int, agent=Agent):
    """Tickets like this one, as the worker sees them."""
    return page("Like this one", await ask({"ticket": id}), agent)


@application.get("/backlog")
async def backlog(word: str, agent=Agent):
    """Tickets that contain a word: no index helps."""
    return page("Found", await rows(
        "SELECT id, title FROM tickets WHERE text LIKE $1 OR title LIKE $1 ORDER BY id LIMIT 30", f"%{word}%"), agent)


def likeness(one, other):
    """How much of two texts is the same words."""
    one, other = collections.Counter(one.split()), collections.Counter(other.split())
    return sum((one & other).values()) / max(1, sum((one | other).values()))


@application.get("/digest")
async def digest(id: int, agent=Agent):
    """The tickets of a team that are most like the newest: each is compared with it."""
    found = await rows("SELECT id, title, text FROM tickets WHERE team = $1 ORDER BY id DESC LIMIT 150", id)
    best = sorted(found, key=lambda row: likeness(found[0]["text"], row["text"]), reverse=True)
    return page("Most alike", best[:20], agent)
