# SPDX-License-Identifier: Apache-2.0
"""The ticketing's worker: takes jobs from RabbitMQ, asks PostgreSQL, computes a little, and answers by the queue that
the job names. Nobody connects to it.

Parameters by environment: PREFETCH (jobs at a time) and WORK (milliseconds that each job waits for something outside).
"""
import asyncio
import json
import os
import pathlib

import aio_pika
import asyncpg

PREFETCH, WORK = int(os.environ["PREFETCH"]), int(os.environ["WORK"])
PASSWORD = pathlib.Path(os.environ["DEMO"], "service/password").read_text()


async def triage(database, number):
    """Tickets of the same team that share most words with one."""
    await asyncio.sleep(WORK / 1000)
    asked = await database.fetchrow("SELECT team, text FROM tickets WHERE id = $1", number)
    found = await database.fetch(
        "SELECT id, title, text FROM tickets WHERE team = $1 AND id < $2 ORDER BY id DESC LIMIT 20",
        asked["team"], number)
    words = set(asked["text"].split())
    best = sorted(found, key=lambda row: len(words & set(row["text"].split())), reverse=True)
    return [{"id": row["id"], "title": row["title"]} for row in best[:10]]


async def main():
    database = await asyncpg.create_pool(
        host="127.0.0.1", port=int(os.environ["POSTGRESQL_PORT"]), user="ticketing", database="ticketing",
        password=PASSWORD, ssl=False, min_size=4, max_size=4, max_inactive_connection_lifetime=0)
    broker = await aio_pika.connect_robust(f"amqp://ticketing:{PASSWORD}@127.0.0.1:{os.environ['AMQP_PORT']}/")
    channel = await broker.channel(publisher_confirms=False)
    await channel.set_qos(prefetch_count=PREFETCH)
    queue = await channel.declare_queue("triage")

    async def work(message):
        async with message.process():
            found = await triage(database, json.loads(message.body)["ticket"])
            answer = aio_pika.Message(json.dumps(found).encode(), correlation_id=message.correlation_id)
            await channel.default_exchange.publish(answer, routing_key=message.reply_to)

    await queue.consume(work)
    await asyncio.Event().wait()


asyncio.run(main())
