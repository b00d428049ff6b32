"""Prints the overdue cards of all boards that an API key can see. It needs Python 3.9 or newer."""

import json
import os
import sys
import urllib.parse
import urllib.request

URL = os.environ.get("BOARDS_URL", "http://127.0.0.1:3000")
KEY = os.environ.get("BOARDS_KEY", "")
if not KEY:
    sys.exit(
        "Set BOARDS_KEY to an API key, such as BOARDS_KEY=wbs_… python3 due_cards.py.\n"
        f"{URL}/docs#/guide/quick-start shows how to create one."
    )


def get(path, **query):
    address = f"{URL}/api/v1{path}?{urllib.parse.urlencode(query)}"
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {KEY}"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def items(path, **query):
    """All items of a listing, page by page."""
    while True:
        page = get(path, **query)
        yield from page["items"]
        if page["nextCursor"] is None:
            return
        query["cursor"] = page["nextCursor"]


for entry in get("/workspaces"):
    for board in items(f"/workspaces/{entry['workspace']['publicId']}/boards"):
        for card in items(f"/boards/{board['publicId']}/cards", due="overdue"):
            print(card["dueDate"], card["cardNumber"], card["title"])
