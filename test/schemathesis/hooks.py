"""What Schemathesis cannot read in the document: accepted findings, and links."""

import re
from urllib.parse import urlencode

import schemathesis
from schemathesis import GenerationMode
from schemathesis.generation.meta import GenerationInfo, TestPhase

# Accepted: code and message of an issue, and why the document cannot say it.
BASELINE = {
    r"cursor_unknown": "Only an answer has valid cursors, which are sealed.",
    r"(token_invalid|authorization_unknown)": "Valid tokens come by mail and from providers.",
    r"(app|user_code)_unknown": "Only registered apps, and codes that were given out, are known.",
    r"(code_wrong|passkey_invalid)": "A device has the secret.",
    r"unsupported_grant_type": "RFC 6749 has its own error for it.",
    r"invalid_redirect_uri": "An address of HTTPS, of this machine, or of a program.",
    r"(return_url|target)_refused": "The settings, and DNS, decide which URLs are allowed.",
    r"invalid_target": "The settings decide which addresses are those of the service.",
    r"not_in_future": "The time of the request decides.",
    r"(file_(unreadable|empty)|document_invalid|form_invalid)": "The bytes of a file have no schema.",
    r"required: The request needs one": "The text is the query of another address.",
    r"invalid_value: The file has no column": "The file has the names of its columns.",
    r"custom: Must be one of .* or fields": "Boards name their own fields.",
    r"custom: The cards of this view are not grouped": "The view decides.",
    r"required: Name the file": "One of three places has the name.",
    r"custom: (The text must|Must) be JSON": "A value of a query has no schema within.",
    r"custom: (Unknown field.* )?A filter is": "A condition of a filter is of four kinds.",
    r"custom: Must be an address": "No pattern says what an address is.",
    r"required: Send (either|one of) ": "Fields that exclude each other.",
    r"required: The password": "Accounts without a password delete themselves without one.",
    r"custom: (Set |Omit |Name |Must contain each |Each option |`\w+` is the deprecated name )": (
        "Fields and items that exclude each other."
    ),
    r"(custom|too_small): (Must not be empty|The text must have at least)": (
        "Languages differ in what white space is: no pattern says it."
    ),
    r"custom: Must not have control characters": "Tools read the Unicode classes of a pattern differently.",
    r"(custom|invalid_format): Must be an IANA time zone": "The database of time zones decides.",
}


@schemathesis.hook
def filter_query(context, query):
    """Leaves out URLs that are too long for any operation: Node.js answers 431."""
    return not query or len(urlencode(query, doseq=True)) < 12_000


@schemathesis.hook
def after_call(context, case, response):
    """Counts a request as invalid when each issue of its answer is in the baseline."""
    if response.status_code != 400 or case.meta is None:
        return
    issues = [f"{issue['code']}: {issue['message']}" for issue in response.json()["issues"]]
    if all(any(re.match(line, issue) for line in BASELINE) for issue in issues):
        time = case.meta.generation.time
        case.meta.generation = GenerationInfo(time=time, mode=GenerationMode.NEGATIVE)


# Creates, and the field of other requests that takes the id of what they create.
CREATES = {
    "/workspaces": "workspacePublicId",
    "/workspaces/{workspacePublicId}/boards": "boardPublicId",
    "/lists": "listPublicId",
}
NOT_WALKED = r"[.]restore|invite[.]deactivateLink"


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Adds links where the document has none: two fixed creates, and ids in bodies.

    Removes those after which the tool misses a deleted resource: restores, and the end of an invite
    link, which is then read as inactive.
    """
    for create, field in CREATES.items():
        links = raw_schema["paths"][create]["post"]["responses"]["200"].setdefault("links", {})
        value = {field: "$response.body#/publicId"}
        for path, methods in raw_schema["paths"].items():
            for method, operation in methods.items():
                name = operation["operationId"]
                in_path = re.findall(r"{(\w+)}", path)
                if in_path == [field]:
                    links[name] = {"operationId": name, "parameters": value}
                elif method == "post" and not in_path and field in body_of(raw_schema, operation):
                    links[name] = {"operationId": name, "requestBody": value}
    for methods in raw_schema["paths"].values():
        for operation in methods.values():
            for response in operation["responses"].values():
                links = response.get("links", {})
                for name in [name for name in links if re.search(NOT_WALKED, name)]:
                    del links[name]


def body_of(raw_schema, operation):
    """Returns the fields that a JSON body must have."""
    content = operation.get("requestBody", {}).get("content", {})
    reference = content.get("application/json", {}).get("schema", {}).get("$ref", "/")
    return raw_schema["components"]["schemas"].get(reference.split("/")[-1], {}).get("required", [])


@schemathesis.hook
def before_call(context, case, kwargs):
    """Lets creates of a walk succeed again: an id or key that was used before is refused."""
    if case.meta is None or case.meta.phase.name != TestPhase.STATEFUL:
        return
    for header in ("Idempotency-Key", "If-Match"):
        case.headers.pop(header, None)
    if case.method == "POST" and isinstance(case.body, dict):
        for field in ("publicId", "slug"):
            case.body.pop(field, None)
