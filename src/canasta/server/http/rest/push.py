"""REST: notices for a page that is closed."""

from typing import Annotated

from litestar import delete, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody
from msgspec import Meta, Struct

from canasta.server.http.rest.calls import (
    AnyRequest,
    TheServices,
    language_of,
    mistake,
    mistakes,
    player_of,
    token,
)
from canasta.server.people.push import BadSubscription
from canasta.server.people.sessions import hash_of
from canasta.server.store.pushes import Subscription
from canasta.server.store.store import Conflict


class PushOffer(Struct, kw_only=True):
    key: str
    """The public key to which a browser subscribes, in base64url; empty where this server sends none."""


class NewPush(Struct, kw_only=True):
    """What a browser's `PushSubscription` holds."""

    endpoint: Annotated[str, Meta(max_length=1000)]
    p256dh: Annotated[str, Meta(max_length=90)]
    auth: Annotated[str, Meta(max_length=30)]


@get("/api/push", summary="Does this server send notices to closed pages?", responses=mistakes())
async def push_offer(services: TheServices) -> PushOffer:
    return PushOffer(key="" if services.pusher is None else services.pusher.key)


@post(
    "/api/push",
    summary="Tell me of my turn when my page is closed",
    status_code=204,
    responses={
        204: ResponseSpec(None, description="Kept, for as long as the session."),
        **mistakes(400, 401, 403, 404, 413),
    },
)
async def keep_push(request: AnyRequest, services: TheServices, data: JSONBody[NewPush]) -> None:
    """In the place of what this session had before, in the language of the request. Of one person the five
    newest are kept."""
    player = await player_of(request, services)
    if services.pusher is None:
        raise mistake(404, "NO_PUSH")
    language = language_of(request, None)
    subscription = Subscription(data.endpoint, data.p256dh, data.auth, language)
    try:
        await services.pusher.keep(player.id, hash_of(token(request)), subscription)
    except BadSubscription:
        raise mistake(400, "BAD_PUSH") from None
    except Conflict:
        raise mistake(401, "UNKNOWN_PERSON") from None


@delete(
    "/api/push",
    summary="Tell me no more",
    status_code=204,
    responses={204: ResponseSpec(None, description="Forgotten."), **mistakes(401, 403)},
)
async def drop_push(request: AnyRequest, services: TheServices) -> None:
    """What this session had is forgotten."""
    await player_of(request, services)
    await services.store.drop_push(hash_of(token(request)))


PUSH = [push_offer, keep_push, drop_push]
