# SPDX-License-Identifier: Apache-2.0
"""Writes the mailboxes: fill.py DIRECTORY MAILBOXES MESSAGES. All have the same messages, which are on the disk once."""

import os
import random
import sys

WORDS = ("queue length throughput arrival completion window server tier demand service waiting load meeting report "
         "invoice draft review release budget travel lunch contract office project").split()


def message(n, rng):
    """A message as somebody might write it, of one to four kilobytes."""
    def words(count):
        return " ".join(rng.choice(WORDS) for _ in range(count))
    lines = "\n".join(words(10) for _ in range(rng.randrange(10, 50)))
    return (f"From: Person {n % 40} <person{n % 40}@example.org>\nTo: staff@example.org\nSubject: {words(5)} {n}\n"
            f"Date: Mon, {1 + n % 28:02} Jan 2024 {n % 24:02}:{n % 60:02}:00 +0000\n"
            f"Message-ID: <{n}@example.org>\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{lines}\n")


def main():
    """Fills the first mailbox and links its messages into the others."""
    directory, mailboxes, messages = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(1)
    texts = [message(n, rng) for n in range(messages)]
    first = os.path.join(directory, "user1/Maildir/cur")
    for box in range(1, mailboxes + 1):
        for part in ("cur", "new", "tmp"):
            os.makedirs(os.path.join(directory, f"user{box}/Maildir", part))
        for n, text in enumerate(texts):
            size = len(text)
            name = f"{1704067200 + n}.M{n}.example,S={size},W={size + text.count(chr(10))}:2,S"
            path = os.path.join(directory, f"user{box}/Maildir/cur", name)
            if box > 1:
                os.link(os.path.join(first, name), path)
                continue
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)


main()
