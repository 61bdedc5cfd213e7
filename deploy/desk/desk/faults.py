# SPDX-License-Identifier: Apache-2.0
"""Faults on request, by an argument in a page's address: what an application may do that asks somebody outside."""
import time

from django.db import transaction


def milliseconds(request, name):
    try:
        return min(5000, max(0, int(request.GET.get(name, 0)))) / 1000
    except ValueError:
        return 0


def faults(get_response):
    """?outside=N: wait N ms for somebody outside, before the page is made. ?hold=N: the same within a transaction that
    has begun, so that a connection to PostgreSQL is held meanwhile.."""

    def serve(request):
        time.sleep(milliseconds(request, "outside"))
        hold = milliseconds(request, "hold")
        if not hold:
            return get_response(request)
        with transaction.atomic():
            request.user.is_staff  # the first statements: the session, and whose it is
            time.sleep(hold)
            return get_response(request)

    return serve
