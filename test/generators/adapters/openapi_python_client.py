"""Calls operations with a generated client: a call per line of stdin, an answer per line of stdout.

Argument: the URL of the REST API.
"""

import base64
import io
import json
import sys

from boards import AuthenticatedClient, Client, models
from boards.api.attachments import attachment_download, attachment_upload
from boards.api.auth import auth_register
from boards.api.boards import board_cards, board_create, board_export_csv, board_query_cards
from boards.api.cards import card_create, card_get, card_toggle_label, card_update
from boards.api.cards import checklist_add_item, checklist_create, comment_create
from boards.api.fields import field_create
from boards.api.labels import label_create
from boards.api.views import view_cards, view_create
from boards.api.workspaces import workspace_create, workspace_export
from boards.types import File

operations = {
    "auth.register": (auth_register, models.RegisterAuthInput),
    "workspace.create": (workspace_create, models.CreateWorkspaceInput),
    "workspace.export": (workspace_export, None),
    "board.create": (board_create, models.CreateBoardInput),
    "board.cards": (board_cards, None),
    "board.queryCards": (board_query_cards, models.QueryBoardCardsInput),
    "field.create": (field_create, models.CreateFieldInput),
    "view.create": (view_create, models.CreateViewInput),
    "view.cards": (view_cards, None),
    "board.exportCsv": (board_export_csv, None),
    "card.create": (card_create, models.CreateCardInput),
    "card.get": (card_get, None),
    "card.update": (card_update, models.UpdateCardInput),
    "card.toggleLabel": (card_toggle_label, None),
    "label.create": (label_create, models.CreateLabelInput),
    "checklist.create": (checklist_create, models.CreateChecklistInput),
    "checklist.addItem": (checklist_add_item, models.AddChecklistItemInput),
    "comment.create": (comment_create, models.CreateCommentInput),
    "attachment.upload": (attachment_upload, None),
    "attachment.download": (attachment_download, None),
}


def answer(call):
    operation, body_type = operations[call["operation"]]
    token = call.get("token")
    url = sys.argv[1]
    client = Client(url) if token is None else AuthenticatedClient(url, token)
    options = dict(call.get("query", {}))
    if body_type is not None:
        options["body"] = body_type.from_dict(call["body"])
    if "file" in call:
        options["body"] = File(io.BytesIO(base64.b64decode(call["file"])))
    response = operation.sync_detailed(*call.get("path", {}).values(), client=client, **options)
    status, parsed = int(response.status_code), response.parsed
    if isinstance(parsed, (File, str)):
        return {"status": status, "file": base64.b64encode(response.content).decode()}
    if hasattr(parsed, "to_dict"):
        return {"status": status, "data": parsed.to_dict()}
    return {"status": status, "data": parsed}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
