"""A short session with the generated client. Arguments: the URL of the REST API."""

import io
import sys
import uuid

from boards import AuthenticatedClient, Client
from boards.api.attachments import attachment_download, attachment_upload
from boards.api.auth import auth_register
from boards.api.boards import board_cards, board_create
from boards.api.cards import card_create, card_get, card_toggle_label, card_update
from boards.api.cards import checklist_add_item, checklist_create, comment_create
from boards.api.labels import label_create
from boards.api.workspaces import workspace_create
from boards.models import (
    ChecklistAddItemInput,
    CreateBoardInput,
    CreateCardInput,
    CreateChecklistInput,
    CreateCommentInput,
    CreateLabelInput,
    CreateWorkspaceInput,
    ErrorCode,
    ErrorResponse,
    RegisterAuthInput,
    UpdateCardInput,
)
from boards.types import File

url = sys.argv[1]
email = f"{uuid.uuid4().hex}@example.com"
account = RegisterAuthInput(email=email, password="correct horse battery", name="Ada")
signed_in = auth_register.sync(client=Client(base_url=url), body=account)
client = AuthenticatedClient(base_url=url, token=signed_in.access_token)

workspace = workspace_create.sync(client=client, body=CreateWorkspaceInput(name="Home"))
board = board_create.sync(
    workspace.public_id,
    client=client,
    body=CreateBoardInput(name="Garden", lists=["To do", "Done"]),
)
to_do, done = [one.public_id for one in board.lists]
cards = [
    card_create.sync(client=client, body=CreateCardInput(title=title, list_public_id=to_do))
    for title in ("Plant", "Water", "Harvest")
]
first = cards[0].public_id
card_update.sync(first, client=client, body=UpdateCardInput(list_public_id=done))
label = label_create.sync(
    client=client,
    body=CreateLabelInput(board_public_id=board.public_id, name="Urgent", colour_code="#d73a4a"),
)
assert card_toggle_label.sync(first, label.public_id, client=client).new_label
checklist = checklist_create.sync(first, client=client, body=CreateChecklistInput(name="Steps"))
checklist_add_item.sync(
    client=client,
    body=ChecklistAddItemInput(checklist_public_id=checklist.public_id, title="Dig"),
)
comment_create.sync(first, client=client, body=CreateCommentInput(comment="Looks good."))

card = card_get.sync(first, client=client)
assert card.list_public_id == done and card.labels[0].name == "Urgent"
assert card.checklists[0].items[0].title == "Dig" and card.comment_count == 1

missing = card_get.sync("000000000000", client=client)
assert isinstance(missing, ErrorResponse) and missing.code == ErrorCode.NOT_FOUND

titles, cursor = [], None
while True:
    options = {} if cursor is None else {"cursor": cursor}
    page = board_cards.sync(board.public_id, client=client, limit=2, **options)
    titles += [one.title for one in page.items]
    cursor = page.next_cursor
    if cursor is None:
        break
assert sorted(titles) == ["Harvest", "Plant", "Water"], titles

body = File(payload=io.BytesIO(b"seeds"))
file = attachment_upload.sync(first, client=client, body=body, filename="list.txt")
assert attachment_download.sync_detailed(file.public_id, client=client).content == b"seeds"
print("openapi-python-client: the session passed")
