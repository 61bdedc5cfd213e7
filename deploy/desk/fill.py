# SPDX-License-Identifier: Apache-2.0
"""What is in the help desk, always the same: 20 members of staff, 10 queues, and 20,000 tickets with 60,000 notes, of
which a twentieth are open. And the session of the first of the staff, by the key that nginx sends.

fill.py SESSION
"""
import random
import sys
from datetime import datetime, timedelta, timezone

import django

django.setup()

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.contrib.sessions.models import Session  # noqa: E402
from helpdesk.models import FollowUp, KBCategory, KBItem, Queue, Ticket  # noqa: E402

SYLLABLES = [a + b for a in "ba ke lo mi ta ru sen vo".split() for b in "di pel no shi fu tor ka gu".split()]
BEGIN = datetime(2026, 1, 1, tzinfo=timezone.utc)
drawn = random.Random(1)


def words(number):
    return " ".join(drawn.choice(SYLLABLES) + drawn.choice(SYLLABLES) for _ in range(number))


def staff():
    model = get_user_model()
    for i in range(1, 21):
        user = model(username=f"user{i}", first_name="User", last_name=f"Number {i}", is_staff=True,
                     email=f"user{i}@example.org", is_superuser=i == 1)
        user.set_unusable_password()
        user.save()  # its signal makes the settings
    return list(model.objects.order_by("id"))


def tickets(users, queues):
    made = [Ticket(title=words(6), description=words(60), queue=queues[i % 10], priority=1 + i // 10 % 5,
                   created=BEGIN + timedelta(minutes=10 * i), modified=BEGIN + timedelta(minutes=10 * i + 5),
                   submitter_email=f"visitor{i % 997}@example.org", assigned_to=drawn.choice(users),
                   status=Ticket.OPEN_STATUS if i // 10 % 20 == 0 else Ticket.CLOSED_STATUS, secret_key=f"key-{i}")
            for i in range(20000)]
    return Ticket.objects.bulk_create(made, batch_size=1000)


def notes(users, of):
    made = [FollowUp(ticket=of[i % len(of)], title="Comment", comment=words(30), public=True, user=drawn.choice(users),
                     date=BEGIN + timedelta(minutes=10 * (i % len(of)) + 1 + i // len(of))) for i in range(3 * len(of))]
    FollowUp.objects.bulk_create(made, batch_size=1000)


def knowledge(queues):
    for q in queues:
        c = KBCategory.objects.create(name=q.title, title=q.title, slug=q.slug, description=words(20), queue=q)
        for _ in range(10):
            KBItem.objects.create(category=c, title=words(5), question=words(15), answer=words(150))


def session(key, user):
    said = {SESSION_KEY: str(user.pk), BACKEND_SESSION_KEY: "django.contrib.auth.backends.ModelBackend",
            HASH_SESSION_KEY: user.get_session_auth_hash()}
    Session.objects.create(session_key=key, session_data=SessionStore().encode(said),
                           expire_date=datetime(2100, 1, 1, tzinfo=timezone.utc))


users = staff()
queues = [Queue.objects.create(title=f"Queue {i}", slug=f"queue-{i}", allow_public_submission=True)
          for i in range(1, 11)]
notes(users, tickets(users, queues))
knowledge(queues)
session(sys.argv[1], users[0])
