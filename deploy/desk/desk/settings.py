# SPDX-License-Identifier: Apache-2.0
"""Settings of the help desk: those of django-helpdesk's own guide, with PostgreSQL behind PgBouncer."""
import os

DEMO = os.environ["DEMO"]


def _secret(name):
    with open(os.path.join(DEMO, "uwsgi", name)) as file:
        return file.read().strip()


SECRET_KEY = _secret("key")
DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "desk.urls"
WSGI_APPLICATION = "desk.wsgi.application"
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.sites",
    "django.contrib.humanize",
    "django.contrib.admin",
    "bootstrap4form",
    "rest_framework",
    "helpdesk",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "desk.faults.faults",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.debug",
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]
# A connection to PgBouncer for each page, which is Django's default and the usual reason to have PgBouncer. What makes
# the tables asks PostgreSQL itself.
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "helpdesk",
        "USER": "helpdesk",
        "PASSWORD": _secret("password"),
        "HOST": "127.0.0.1",
        "PORT": os.environ.get("DATABASE_PORT") or os.environ["PGBOUNCER_PORT"],
        "DISABLE_SERVER_SIDE_CURSORS": True,
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
SITE_ID = 1
LANGUAGE_CODE = "en-us"
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = "/static/"
MEDIA_ROOT = os.path.join(DEMO, "uwsgi", "media")
LOGIN_URL = "/admin/login/"
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
HELPDESK_TEAMS_MODE_ENABLED = False
HELPDESK_PUBLIC_TICKET_QUEUE = "queue-1"
HELPDESK_VIEW_A_TICKET_PUBLIC = True
SILENCED_SYSTEM_CHECKS = ["models.W042"]
