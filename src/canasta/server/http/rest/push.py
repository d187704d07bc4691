"""REST: push subscriptions for turn alerts on closed pages."""

from typing import Annotated

from litestar import delete, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody
from msgspec import Meta, Struct

from canasta.errors import InputError
from canasta.server.accounts.sessions import hash_of
from canasta.server.http.rest.common import (
    AnyRequest,
    TheServices,
    language_of,
    mistake,
    mistakes,
    player_of,
    token,
    unusable,
)
from canasta.server.store import ConflictError
from canasta.server.store.players import Subscription


class PushOffer(Struct, kw_only=True):
    key: str
    """Public key for the browser's subscription, in base64url; empty if this server sends no
    notifications."""


class NewPush(Struct, kw_only=True):
    """The fields of a browser's `PushSubscription`."""

    endpoint: Annotated[str, Meta(max_length=1000)]
    p256dh: Annotated[str, Meta(max_length=90)]
    auth: Annotated[str, Meta(max_length=30)]


@get("/api/push", summary="Does this server send turn alerts?", responses=mistakes())
async def push_offer(services: TheServices) -> PushOffer:
    return PushOffer(key="" if services.pusher is None else services.pusher.key)


@post(
    "/api/push",
    summary="Subscribe to turn alerts",
    status_code=204,
    responses={
        204: ResponseSpec(None, description="Saved for as long as the session lasts."),
        **mistakes(400, 401, 403, 404, 413),
    },
)
async def keep_push(request: AnyRequest, services: TheServices, data: JSONBody[NewPush]) -> None:
    """Save this session's subscription, replacing an earlier one. Notifications use the language of the
    request.

    Only the five newest subscriptions per player are kept.
    """
    player = await player_of(request, services)
    if services.pusher is None:
        raise mistake(404, "NO_PUSH")
    language = language_of(request, None)
    subscription = Subscription(data.endpoint, data.p256dh, data.auth, language)
    try:
        await services.pusher.keep(player.id, hash_of(token(request)), subscription)
    except InputError as problem:
        raise unusable(400, problem) from None
    except ConflictError:
        raise mistake(401, "UNKNOWN_PERSON") from None


@delete(
    "/api/push",
    summary="Unsubscribe from turn alerts",
    status_code=204,
    responses={204: ResponseSpec(None, description="Deleted."), **mistakes(401, 403)},
)
async def drop_push(request: AnyRequest, services: TheServices) -> None:
    """Delete this session's subscription."""
    await player_of(request, services)
    await services.store.drop_push(hash_of(token(request)))


PUSH = [push_offer, keep_push, drop_push]
