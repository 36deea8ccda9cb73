"""A worker elsewhere: it joins, says how it is, and completes the tasks that it is given.

All that it knows stands in the AsyncAPI document of the server (channel `edge`) and in docs/bus.md.
It needs nats-py: pip install nats-py

    NATS_URL=nats://127.0.0.1:4222 WORKER_ID=lab-2 python3 examples/edge-worker/worker.py
"""

import asyncio
import json
import os
import signal
import sys
import uuid
from datetime import datetime, timezone

import nats
from nats.errors import TimeoutError as NothingCame
from nats.js.api import AckPolicy, ConsumerConfig

STREAM = "SERVICE_EDGE"
WORKER_ID = os.environ.get("WORKER_ID", f"worker-{os.getpid()}")
REGION = os.environ.get("REGION", "unknown")
# Set it where several tenants share the server; left out where there is one.
TENANT = os.environ.get("TENANT", "")
STATUS_SECONDS = float(os.environ.get("STATUS_MS", "10000")) / 1000


def count_words(text):
    if not isinstance(text, str):
        raise ValueError("input.text must be a text")
    return {"words": len(text.split())}


# What this worker can do, by the kind of the task. Doing it twice must do no harm.
SKILLS = {"count_words": lambda task_input: count_words(task_input.get("text"))}


# A stream holds the tasks of all tenants: whose a consumer is, its name says. No tenant, worker or kind has a "=".
def consumer_of(what, name):
    return "=".join([f"edge_{what}", TENANT or "default", name])


def task_in(data):
    """The task of a message; nothing where it is none, whoever has sent it."""
    try:
        task = json.loads(data)
    except ValueError:
        return None
    texts = isinstance(task, dict) and [task.get("task_id"), task.get("kind")]
    if not texts or not all(isinstance(text, str) and text for text in texts):
        return None
    return task if task["task_id"].isascii() and task["task_id"].isprintable() else None


def subject_of(event):
    return ".".join(["service.edge", *([TENANT] if TENANT else []), event])


class Worker:
    def __init__(self, connection):
        self.stream = connection.jetstream()
        self.running = 0
        self.leaving = asyncio.Event()

    async def say(self, event, event_id=None, **more):
        """Publish a CloudEvent in binary mode; the same id again within two minutes changes nothing."""
        event_id = event_id or str(uuid.uuid4())
        attributes = {
            # Tenants share a stream, and each has ids of its own.
            "Nats-Msg-Id": f"{TENANT}/{event_id}" if TENANT not in ("", "default") else event_id,
            "ce-specversion": "1.0",
            "ce-id": event_id,
            "ce-source": f"urn:worker:{WORKER_ID}",
            "ce-type": f"service.edge.{event}.v1",
            "ce-time": datetime.now(timezone.utc).isoformat(),
            "ce-datacontenttype": "application/json",
        }
        data = {"worker_id": WORKER_ID, "region": REGION, "load": self.running, **more}
        await self.stream.publish(subject_of(event), json.dumps(data).encode(), headers=attributes)

    async def complete(self, task):
        self.running += 1
        try:
            if task["kind"] not in SKILLS:
                raise ValueError(f"there is no skill {task['kind']}")
            outcome = {"result": SKILLS[task["kind"]](task.get("input", {}))}
        except Exception as error:
            outcome = {"error": str(error)[:2000]}
        self.running -= 1
        task_id = task["task_id"]
        await self.say("completion", f"{task_id}.completion", task_id=task_id, **outcome)

    async def take(self, name, is_mine):
        """Take tasks: workers that use the same name share them, and each goes to one of them."""
        config = ConsumerConfig(ack_policy=AckPolicy.EXPLICIT, ack_wait=30, max_deliver=6)
        tasks = await self.stream.pull_subscribe(
            subject_of("assigned"), durable=name, stream=STREAM, config=config
        )
        while not self.leaving.is_set():
            try:
                [message] = await tasks.fetch(1, timeout=1)
            except NothingCame:
                continue
            task = task_in(message.data)
            try:
                # What is somebody else's, somebody else takes from a consumer of their own.
                if task and is_mine(task):
                    await self.complete(task)
                # After the completion is stored: after a crash in between, the task comes again.
                await message.ack_sync()
            except Exception as error:  # What was not acknowledged comes again.
                print(f"a task was not completed: {error}", file=sys.stderr)

    async def report(self):
        while not self.leaving.is_set():
            await self.say("status")
            await asyncio.wait([asyncio.ensure_future(self.leaving.wait())], timeout=STATUS_SECONDS)

    async def join(self):
        while True:
            try:
                return await self.say("join")
            except Exception:  # The server makes the stream when it starts; this worker was first.
                await asyncio.sleep(1)


async def main():
    connection = await nats.connect(
        os.environ.get("NATS_URL", "nats://127.0.0.1:4222").split(","),
        user=os.environ.get("NATS_USER"),
        password=os.environ.get("NATS_PASSWORD"),
        max_reconnect_attempts=-1,
    )
    worker = Worker(connection)
    await worker.join()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.leaving.set)
    print(f"{WORKER_ID} has joined", flush=True)
    await asyncio.gather(
        worker.report(),
        worker.take(consumer_of("worker", WORKER_ID), lambda task: task.get("worker_id") == WORKER_ID),
        *(
            worker.take(
                consumer_of("kind", kind),
                lambda task, kind=kind: "worker_id" not in task and task["kind"] == kind,
            )
            for kind in SKILLS
        ),
    )
    await worker.say("leave")
    await connection.close()


asyncio.run(main())
