import { viewCards } from "../../domain/views/cards.ts";
import { createView } from "../../domain/views/create.ts";
import { deleteView } from "../../domain/views/delete.ts";
import { getView } from "../../domain/views/get.ts";
import { viewGroups } from "../../domain/views/groups.ts";
import { listViews } from "../../domain/views/list.ts";
import { restoreView } from "../../domain/views/restore.ts";
import { updateView } from "../../domain/views/update.ts";
import { getMember } from "../../domain/members/get.ts";
import { inviteMember } from "../../domain/members/invite.ts";
import { leaveWorkspace } from "../../domain/members/leave.ts";
import { listMembers } from "../../domain/members/list.ts";
import { removeMember } from "../../domain/members/remove.ts";
import { updateMemberRole } from "../../domain/members/update-role.ts";
import { acceptInvite } from "../../domain/invites/accept.ts";
import { createLink } from "../../domain/invites/create-link.ts";
import { deactivateLink } from "../../domain/invites/deactivate-link.ts";
import { getLink } from "../../domain/invites/get-link.ts";
import { getInvite } from "../../domain/invites/get.ts";
import { allowApp } from "../../domain/apps/allow.ts";
import { forbidApp } from "../../domain/apps/forbid.ts";
import { listApps } from "../../domain/apps/list.ts";
import { createServiceAccountKey } from "../../domain/service-accounts/create-key.ts";
import { createServiceAccount } from "../../domain/service-accounts/create.ts";
import { deleteServiceAccount } from "../../domain/service-accounts/delete.ts";
import { serviceAccountKeys } from "../../domain/service-accounts/keys.ts";
import { listServiceAccounts } from "../../domain/service-accounts/list.ts";
import { revokeServiceAccountKey } from "../../domain/service-accounts/revoke-key.ts";
import { updateServiceAccount } from "../../domain/service-accounts/update.ts";
import { grantToMember } from "../../domain/permissions/grant-to-member.ts";
import { myPermissions } from "../../domain/permissions/mine.ts";
import { permissionsOfMember } from "../../domain/permissions/of-member.ts";
import { resetMember } from "../../domain/permissions/reset-member.ts";
import { revokeFromMember } from "../../domain/permissions/revoke-from-member.ts";
import { vocabulary } from "../../domain/permissions/vocabulary.ts";
import { createRole } from "../../domain/roles/create.ts";
import { deleteRole } from "../../domain/roles/delete.ts";
import { grantToRole } from "../../domain/roles/grant.ts";
import { listRoles } from "../../domain/roles/list.ts";
import { permissionsOfRole } from "../../domain/roles/permissions.ts";
import { revokeFromRole } from "../../domain/roles/revoke.ts";
import { updateRole } from "../../domain/roles/update.ts";
import { boardActivity } from "../../domain/boards/activity.ts";
import { addBoardMember } from "../../domain/boards/add-member.ts";
import { listBoardCards, queryBoardCards } from "../../domain/boards/cards.ts";
import { checkBoardSlug } from "../../domain/boards/check-slug.ts";
import { createBoard } from "../../domain/boards/create.ts";
import { deleteBoard } from "../../domain/boards/delete.ts";
import { exportBoardCsv } from "../../transfer/exports/board-csv.ts";
import { favouriteBoard } from "../../domain/boards/favourite.ts";
import { getBoardBySlug } from "../../domain/boards/get-by-slug.ts";
import { getBoard } from "../../domain/boards/get.ts";
import { boardGroups } from "../../domain/views/board-groups.ts";
import { listBoards } from "../../domain/boards/list.ts";
import { listBoardMembers } from "../../domain/boards/members.ts";
import { moveBoard } from "../../domain/boards/move.ts";
import { removeBoardMember } from "../../domain/boards/remove-member.ts";
import { restoreBoard } from "../../domain/boards/restore.ts";
import { updateBoard } from "../../domain/boards/update.ts";
import { listCards } from "../../domain/lists/cards.ts";
import { createList } from "../../domain/lists/create.ts";
import { deleteList } from "../../domain/lists/delete.ts";
import { getList } from "../../domain/lists/get.ts";
import { moveCards } from "../../domain/lists/move-cards.ts";
import { moveList } from "../../domain/lists/move.ts";
import { restoreList } from "../../domain/lists/restore.ts";
import { sortList } from "../../domain/lists/sort.ts";
import { updateList } from "../../domain/lists/update.ts";
import { addCardLabel } from "../../domain/cards/add-label.ts";
import { addCardMember } from "../../domain/cards/add-member.ts";
import { listCardActivities } from "../../domain/cards/activities.ts";
import { claimCard } from "../../domain/cards/claim.ts";
import { createCard } from "../../domain/cards/create.ts";
import { deleteCard } from "../../domain/cards/delete.ts";
import { duplicateCard } from "../../domain/cards/duplicate.ts";
import { getCardByNumber } from "../../domain/cards/get-by-number.ts";
import { getCard } from "../../domain/cards/get.ts";
import { nextCard } from "../../domain/cards/next.ts";
import { releaseClaim } from "../../domain/cards/release-claim.ts";
import { removeCardLabel } from "../../domain/cards/remove-label.ts";
import { removeCardMember } from "../../domain/cards/remove-member.ts";
import { renewClaim } from "../../domain/cards/renew-claim.ts";
import { restoreCard } from "../../domain/cards/restore.ts";
import { toggleCardLabel } from "../../domain/cards/toggle-label.ts";
import { toggleCardMember } from "../../domain/cards/toggle-member.ts";
import { bulkUpdateCards } from "../../domain/cards/bulk-update.ts";
import { updateCard } from "../../domain/cards/update.ts";
import { watchCard } from "../../domain/cards/watch.ts";
import { createLabel } from "../../domain/labels/create.ts";
import { deleteLabel } from "../../domain/labels/delete.ts";
import { getLabel } from "../../domain/labels/get.ts";
import { listLabels } from "../../domain/labels/list.ts";
import { updateLabel } from "../../domain/labels/update.ts";
import { createField } from "../../domain/custom-fields/create.ts";
import { deleteField } from "../../domain/custom-fields/delete.ts";
import { listFields } from "../../domain/custom-fields/list.ts";
import { restoreField } from "../../domain/custom-fields/restore.ts";
import { updateField } from "../../domain/custom-fields/update.ts";
import { createRelation } from "../../domain/relations/create.ts";
import { deleteRelation } from "../../domain/relations/delete.ts";
import { updateRelation } from "../../domain/relations/update.ts";
import { addItem } from "../../domain/checklists/add-item.ts";
import { createChecklist } from "../../domain/checklists/create.ts";
import { convertItem } from "../../domain/checklists/convert-item.ts";
import { deleteItem } from "../../domain/checklists/delete-item.ts";
import { listItems } from "../../domain/checklists/items.ts";
import { deleteChecklist } from "../../domain/checklists/delete.ts";
import { updateItem } from "../../domain/checklists/update-item.ts";
import { updateChecklist } from "../../domain/checklists/update.ts";
import { createComment } from "../../domain/comments/create.ts";
import { deleteComment } from "../../domain/comments/delete.ts";
import { listComments } from "../../domain/comments/list.ts";
import { updateComment } from "../../domain/comments/update.ts";
import { confirmAttachment } from "../../domain/attachments/confirm.ts";
import { deleteAttachment } from "../../domain/attachments/delete.ts";
import { downloadAttachment } from "../../domain/attachments/download.ts";
import { fileUrl } from "../../domain/attachments/file-url.ts";
import { fileOfAttachment } from "../../domain/attachments/file.ts";
import { linkAttachment } from "../../domain/attachments/link.ts";
import { prepareAttachment } from "../../domain/attachments/prepare.ts";
import { uploadAttachment } from "../../domain/attachments/upload.ts";
import { listEventTypes } from "../../outbound/webhooks/catalogue.ts";
import { createWebhook } from "../../outbound/webhooks/create.ts";
import { deleteWebhook } from "../../outbound/webhooks/delete.ts";
import { listDeliveries } from "../../outbound/webhooks/deliveries.ts";
import { getDelivery } from "../../outbound/webhooks/delivery.ts";
import { getWebhook } from "../../outbound/webhooks/get.ts";
import { listWebhooks } from "../../outbound/webhooks/list.ts";
import { redeliver } from "../../outbound/webhooks/redeliver.ts";
import { replayEvents } from "../../outbound/webhooks/replay.ts";
import { rotateSecret } from "../../outbound/webhooks/rotate-secret.ts";
import { testWebhook } from "../../outbound/webhooks/test.ts";
import { updateWebhook } from "../../outbound/webhooks/update.ts";

/** The operations on what is in a workspace, by resource. */
export const resources = {
  /** Members of a workspace. */
  member: {
    list: listMembers,
    get: getMember,
    invite: inviteMember,
    updateRole: updateMemberRole,
    remove: removeMember,
    leave: leaveWorkspace,
  },
  /** Accounts of programs, which belong to a workspace. */
  serviceAccount: {
    list: listServiceAccounts,
    create: createServiceAccount,
    update: updateServiceAccount,
    delete: deleteServiceAccount,
    keys: serviceAccountKeys,
    createKey: createServiceAccountKey,
    revokeKey: revokeServiceAccountKey,
  },
  /** Apps that members have connected. */
  app: { list: listApps, forbid: forbidApp, allow: allowApp },
  /** Invite links and invite codes. */
  invite: {
    getLink,
    createLink,
    deactivateLink,
    get: getInvite,
    accept: acceptInvite,
  },
  /** Permissions of members. */
  permission: {
    vocabulary,
    mine: myPermissions,
    ofMember: permissionsOfMember,
    grantToMember,
    revokeFromMember,
    resetMember,
  },
  /** Roles of a workspace. */
  role: {
    list: listRoles,
    create: createRole,
    update: updateRole,
    delete: deleteRole,
    permissions: permissionsOfRole,
    grant: grantToRole,
    revoke: revokeFromRole,
  },
  /** Boards of a workspace. */
  board: {
    list: listBoards,
    get: getBoard,
    getBySlug: getBoardBySlug,
    cards: listBoardCards,
    queryCards: queryBoardCards,
    groups: boardGroups,
    exportCsv: exportBoardCsv,
    create: createBoard,
    update: updateBoard,
    delete: deleteBoard,
    restore: restoreBoard,
    move: moveBoard,
    favourite: favouriteBoard,
    checkSlugAvailability: checkBoardSlug,
    members: listBoardMembers,
    addMember: addBoardMember,
    removeMember: removeBoardMember,
    activity: boardActivity,
  },
  /** Lists of a board. */
  list: {
    create: createList,
    get: getList,
    cards: listCards,
    update: updateList,
    delete: deleteList,
    restore: restoreList,
    moveCards,
    move: moveList,
    sort: sortList,
  },
  /** Cards of a list. */
  card: {
    create: createCard,
    get: getCard,
    getByNumber: getCardByNumber,
    update: updateCard,
    bulkUpdate: bulkUpdateCards,
    delete: deleteCard,
    restore: restoreCard,
    duplicate: duplicateCard,
    toggleLabel: toggleCardLabel,
    addLabel: addCardLabel,
    removeLabel: removeCardLabel,
    toggleMember: toggleCardMember,
    addMember: addCardMember,
    removeMember: removeCardMember,
    next: nextCard,
    claim: claimCard,
    renewClaim,
    releaseClaim,
    watch: watchCard,
    activities: listCardActivities,
  },
  /** Labels of a board. */
  label: {
    list: listLabels,
    get: getLabel,
    create: createLabel,
    update: updateLabel,
    delete: deleteLabel,
  },
  /** Custom fields of a board. */
  field: {
    list: listFields,
    create: createField,
    update: updateField,
    delete: deleteField,
    restore: restoreField,
  },
  /** Saved views of a workspace. */
  view: {
    list: listViews,
    get: getView,
    create: createView,
    update: updateView,
    delete: deleteView,
    restore: restoreView,
    cards: viewCards,
    groups: viewGroups,
  },
  /** Checklists of a card and their items. */
  checklist: {
    create: createChecklist,
    update: updateChecklist,
    delete: deleteChecklist,
    items: listItems,
    addItem,
    updateItem,
    deleteItem,
    convertItem,
  },
  /** What cards are to each other. */
  relation: {
    create: createRelation,
    update: updateRelation,
    delete: deleteRelation,
  },
  /** Comments on a card. */
  comment: {
    list: listComments,
    create: createComment,
    update: updateComment,
    delete: deleteComment,
  },
  /** Files and links on cards. */
  attachment: {
    upload: uploadAttachment,
    link: linkAttachment,
    prepare: prepareAttachment,
    confirm: confirmAttachment,
    download: downloadAttachment,
    fileUrl,
    file: fileOfAttachment,
    delete: deleteAttachment,
  },
  /** Webhooks of a workspace and their deliveries. */
  webhook: {
    list: listWebhooks,
    get: getWebhook,
    create: createWebhook,
    update: updateWebhook,
    delete: deleteWebhook,
    test: testWebhook,
    rotateSecret,
    deliveries: listDeliveries,
    delivery: getDelivery,
    redeliver,
    replay: replayEvents,
    catalogue: listEventTypes,
  },
};
