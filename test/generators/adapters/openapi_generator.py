"""Calls operations with a generated client: a call per line of stdin, an answer per line of stdout.

Argument: the URL of the REST API.
"""

import base64
import json
import sys

import boards
from boards.exceptions import ApiException

operations = {
    "auth.register": (boards.AuthApi, "auth_register", boards.RegisterAuthInput),
    "workspace.create": (boards.WorkspacesApi, "workspace_create", boards.CreateWorkspaceInput),
    "workspace.export": (boards.WorkspacesApi, "workspace_export", None),
    "board.create": (boards.BoardsApi, "board_create", boards.CreateBoardInput),
    "board.cards": (boards.BoardsApi, "board_cards", None),
    "board.queryCards": (boards.BoardsApi, "board_query_cards", boards.QueryBoardCardsInput),
    "field.create": (boards.FieldsApi, "field_create", boards.CreateFieldInput),
    "view.create": (boards.ViewsApi, "view_create", boards.CreateViewInput),
    "view.cards": (boards.ViewsApi, "view_cards", None),
    "board.exportCsv": (boards.BoardsApi, "board_export_csv", None),
    "card.create": (boards.CardsApi, "card_create", boards.CreateCardInput),
    "card.get": (boards.CardsApi, "card_get", None),
    "card.update": (boards.CardsApi, "card_update", boards.UpdateCardInput),
    "card.toggleLabel": (boards.CardsApi, "card_toggle_label", None),
    "label.create": (boards.LabelsApi, "label_create", boards.CreateLabelInput),
    "checklist.create": (boards.CardsApi, "checklist_create", boards.CreateChecklistInput),
    "checklist.addItem": (boards.CardsApi, "checklist_add_item", boards.AddChecklistItemInput),
    "comment.create": (boards.CardsApi, "comment_create", boards.CreateCommentInput),
    "attachment.upload": (boards.AttachmentsApi, "attachment_upload", None),
    "attachment.download": (boards.AttachmentsApi, "attachment_download", None),
}


def plain(data):
    return data.to_dict() if hasattr(data, "to_dict") else data


def answer(call):
    api, method, body_type = operations[call["operation"]]
    configuration = boards.Configuration(host=sys.argv[1], access_token=call.get("token"))
    values = list(call.get("path", {}).values())
    if body_type is not None:
        body = body_type.from_dict(call["body"])
        # An optional body is the last parameter, after two headers.
        if method == "card_update":
            values += [None, None]
        values.append(body)
    if "file" in call:
        values.append(base64.b64decode(call["file"]))
    with boards.ApiClient(configuration) as client:
        send = getattr(api(client), f"{method}_with_http_info")
        try:
            response = send(*values, **call.get("query", {}))
        except ApiException as error:
            return {"status": error.status, "data": plain(error.data)}
    if isinstance(response.data, (bytes, bytearray, str)):
        file = base64.b64encode(response.raw_data).decode()
        return {"status": response.status_code, "file": file}
    return {"status": response.status_code, "data": plain(response.data)}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line)), default=str), flush=True)
