# SPDX-License-Identifier: Apache-2.0
"""Django's administration, and all else is the help desk's."""
from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("helpdesk.urls", namespace="helpdesk")),
]
