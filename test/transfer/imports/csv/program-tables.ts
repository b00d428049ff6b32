import { expect } from "vitest";

/** What a line of a table becomes. */
type Expected = Record<string, unknown>;

/** A table as a program writes it: its header, and lines with what they become. */
export type ProgramTable = { program: string; header: string; cards: [string, Expected][] };

const day = (date: string) => `${date}T00:00:00.000Z`;
const done = (date: string) => ({ completedAt: expect.stringContaining(date) });
const now = { completedAt: expect.stringMatching(/^\d{4}-/) };
const open = { completedAt: null };

const jira =
  "Summary,Issue key,Issue id,Issue Type,Status,Project key,Project name,Priority,Resolution,Assignee,Assignee Id," +
  "Reporter,Creator,Created,Updated,Last Viewed,Resolved,Due date,Votes,Labels,Labels,Labels,Description,Watchers,Watchers," +
  "Custom field (Start date),Custom field (Story Points),Parent,Parent summary,Comment,Comment,Attachment,Status Category";

/** The tables of programs with invented people, under the headers that these programs write. */
export const programTables: ProgramTable[] = [
  {
    program: "jira",
    header: jira,
    cards: [
      [
        'Rent a hall,EV-1,10001,Task,In Progress,EV,Events,Highest,,Ada Lovelace,712020:a1,Ada Lovelace,Ada Lovelace,11/Nov/24 3:17 PM,12/Nov/24 9:05 AM,,,30/Nov/24 12:00 AM,0,venue,spring,budget,For 200,,,01/Nov/24 12:00 AM,5,,,11/Nov/24 4:00 PM;712020:a1;Two offers,"12/Nov/24 8:00 AM;712020:a1;A third; better",11/Nov/24 4:01 PM;Ada Lovelace;plan.pdf;https://jira.example.com/plan.pdf,In Progress',
        {
          title: "Rent a hall",
          list: "In Progress",
          labels: ["venue", "spring", "budget"],
          members: ["Ada Lovelace"],
          priority: "urgent",
          dueDate: day("2024-11-30"),
          startDate: day("2024-11-01"),
          comments: ["Two offers", "A third; better"],
          ...open,
        },
      ],
      [
        "Ask for prices,EV-2,10002,Sub-task,Done,EV,Events,Minor,Done,,,,,11/Nov/24 3:20 PM,,,13/Nov/24 10:00 AM,,0,,,,,,,,,10001,Rent a hall,,,,Done",
        { list: "Done", priority: "low", labels: [], members: [], ...done("2024-11-13T10:00") },
      ],
      [
        "Not resolved,EV-3,10003,Bug,Closed,EV,Events,Critical,Unresolved,,,,,30/Jul/18 23:33,,,,,0,,,,,,,,,,,,,,",
        { list: "Closed", priority: "urgent", ...now },
      ],
      [
        "Medium one,EV-4,10004,Story,Backlog,EV,Events,Medium,,,,,,2024-03-12 10:11,,,,2024-03-20,0,,,,,,,,,,,,,,To Do",
        { priority: "medium", dueDate: day("2024-03-20"), ...open },
      ],
    ],
  },
  {
    program: "jira",
    header:
      "Zusammenfassung,Vorgangsschlüssel,Vorgangs-ID,Status,Priorität,Zugewiesene Person,Erstellt,Erledigt,Fälligkeitsdatum,Stichwörter,Stichwörter",
    cards: [
      [
        "Saal mieten,EV-1,1,Erledigt,Hoch,Grace Hopper,12/Mär/24 9:05 AM,13/Mai/24 9:05 AM,14/Okt/24 12:00 AM,Raum,Geld",
        {
          title: "Saal mieten",
          list: "Erledigt",
          priority: "high",
          members: ["Grace Hopper"],
          labels: ["Raum", "Geld"],
          dueDate: day("2024-10-14"),
          ...done("2024-05-13T09:05"),
        },
      ],
    ],
  },
  {
    program: "jira",
    header:
      "Issue Type,Issue key,Issue id,Parent id,Summary,Assignee,Reporter,Priority,Status,Resolution,Created,Updated,Due Date",
    cards: [
      [
        "Bug,HA-1,1,,A flaky test,ada,ada,Blocker,Resolved,Fixed,30/Jul/18 23:33,25/Feb/20 23:29,31/Jul/18 00:00",
        {
          title: "A flaky test",
          members: ["ada"],
          priority: "urgent",
          dueDate: day("2018-07-31"),
          ...now,
        },
      ],
    ],
  },
  {
    program: "jira",
    header: "要約,課題キー,ステータス,優先度,担当者,期限,ラベル,解決日",
    cards: [
      [
        "会場,EV-1,完了,高,Ada,2024年10月8日,会場,2024年10月9日 15:00",
        {
          title: "会場",
          priority: "high",
          dueDate: day("2024-10-08"),
          ...done("2024-10-09T15:00"),
        },
      ],
    ],
  },
  {
    program: "asana",
    header:
      "Task ID,Created At,Completed At,Last Modified,Name,Section/Column,Assignee,Assignee Email,Start Date,Due Date,Tags,Notes,Projects,Parent task,Blocked By (Dependencies),Blocking (Dependencies),Priority",
    cards: [
      [
        '1201,2026-09-01,,2026-09-02,Book a band,Doing,Ada Lovelace,ada@example.com,2026-09-05,2026-09-30,"music,evening","Loud, please",Party,,,,High',
        {
          title: "Book a band",
          list: "Doing",
          members: ["Ada Lovelace"],
          labels: ["music", "evening"],
          description: "Loud, please",
          startDate: day("2026-09-05"),
          dueDate: day("2026-09-30"),
          priority: "high",
          ...open,
        },
      ],
      [
        "1202,2026-09-01,2026-09-10,2026-09-10,Send invites,Done,,,,,,,Party,Book a band,,,",
        { list: "Done", ...done("2026-09-10") },
      ],
    ],
  },
  {
    program: "monday",
    header:
      "Spring party\n\nTo-Do\nName,Subitems,Person,Status,Date,Priority,Timeline - Start,Timeline - End,Item ID (auto generated)",
    cards: [
      [
        'Hall,,"Ada Lovelace, Grace Hopper",Working on it,2026-03-12,Critical ⚠️️,2026-03-01,2026-03-05,1001',
        {
          list: "Working on it",
          members: ["Ada Lovelace", "Grace Hopper"],
          dueDate: day("2026-03-12"),
          startDate: day("2026-03-01"),
          priority: "urgent",
          ...open,
        },
      ],
      ["Band,,,Done,2026-03-13,,,,1002", { list: "Done", ...now }],
    ],
  },
  {
    program: "notion",
    header: "Name,Status,Assignee,Due,Tags,Priority,Created time,Last edited time",
    cards: [
      [
        'Print flyers,In progress,"Ada Lovelace, Grace Hopper","October 8, 2021 → October 29, 2021","Print, Design",Low,"October 1, 2021 3:00 PM","October 2, 2021 3:00 PM"',
        {
          list: "In progress",
          members: ["Ada Lovelace", "Grace Hopper"],
          startDate: day("2021-10-08"),
          dueDate: day("2021-10-29"),
          labels: ["Print", "Design"],
          priority: "low",
          ...open,
        },
      ],
      [
        'Hand out,Done,,"October 8, 2021 3:00 PM (GMT+1)",,,"October 1, 2021 3:00 PM",',
        { dueDate: "2021-10-08T14:00:00.000Z", ...now },
      ],
      ["En septembre,Not started,,8 octobre 2021,,,,", { dueDate: day("2021-10-08"), ...open }],
      ["Em outubro,Not started,,8 de outubro de 2021,,,,", { dueDate: day("2021-10-08") }],
      ["En enero,Not started,,8 de enero de 2021,,,,", { dueDate: day("2021-01-08") }],
      ["Im März,Not started,,8. März 2021,,,,", { dueDate: day("2021-03-08") }],
      ["十月,Not started,,2021年10月8日,,,,", { dueDate: day("2021-10-08") }],
      ["Slashes,Not started,,2021/10/08 15:00 (GMT),,,,", { dueDate: "2021-10-08T15:00:00.000Z" }],
    ],
  },
  {
    program: "clickup",
    header:
      "Task Type,Task ID,Task Custom ID,Task Name,Task Content,Status,Date Created,Date Created Text,Due Date,Due Date Text,Start Date,Start Date Text,Parent ID,Attachments,Assignees,Tags,Priority,List Name,Folder Name/Path,Space Name,Checklists,Comments,Assigned Comments,Date Done",
    cards: [
      [
        'Task,86a1,,Order chairs,200 of them,in progress,1710230400000,"3/12/2024, 8:00:00 AM GMT",1711000000000,,1710300000000,,null,[],"[Ada Lovelace,Grace Hopper]","[hall,rent]",2,Party,Folder,Space,"{""Chairs"":[""Count"",""Order""]}","[{""text"":""Red ones"",""by"":""ada@example.com"",""date"":""3/12/2024, 9:00:00 AM GMT""}]",[],',
        {
          title: "Order chairs",
          description: "200 of them",
          list: "in progress",
          members: ["Ada Lovelace", "Grace Hopper"],
          labels: ["hall", "rent"],
          priority: "high",
          dueDate: "2024-03-21T05:46:40.000Z",
          startDate: "2024-03-13T03:20:00.000Z",
          comments: ["Red ones"],
          checklistItems: ["Count", "Order"],
          relations: ["parent: Pay chairs"],
          ...open,
        },
      ],
      [
        "Task,86a2,,Pay chairs,,complete,1710230400000,,null,,null,,86a1,[],[],[],null,Party,Folder,Space,{},[],[],1711000000000",
        { dueDate: null, labels: [], members: [], priority: "none", ...done("2024-03-21") },
      ],
      [
        "Task,86a3,,Closed one,,Closed,1710230400000,,,,,,null,[],[],[],1,,,,{},[],[],",
        { priority: "urgent", ...now },
      ],
    ],
  },
  {
    program: "linear",
    header:
      "ID,Team,Title,Description,Status,Estimate,Priority,Project ID,Project,Creator,Assignee,Labels,Cycle Number,Cycle Name,Cycle Start,Cycle End,Created,Updated,Started,Triaged,Completed,Canceled,Archived,Due Date,Parent issue,Initiatives,Project Milestone ID,Project Milestone,SLA Status,Roadmaps",
    cards: [
      [
        'EV-10,Events,License,Add one,Done,3,High,,,ada@example.com,ada@example.com,"Improvement, Legal",,,,,2024-05-14T08:53:33Z,2024-05-23T16:06:19Z,2024-05-15T08:00:00Z,,2024-05-23T16:06:19Z,,,2024-06-01,,,,,,',
        {
          title: "License",
          labels: ["Improvement", "Legal"],
          members: ["ada"],
          priority: "high",
          dueDate: day("2024-06-01"),
          startDate: "2024-05-15T08:00:00.000Z",
          ...done("2024-05-23T16:06:19"),
        },
      ],
      [
        "EV-11,Events,Tokens,,Todo,,No priority,,,,,,,,,,Mon Oct 07 2024 14:12:01 GMT+0000 (GMT),,,,,,,Fri Oct 11 2024 00:00:00 GMT+0000 (GMT),EV-10,,,,,",
        { priority: "none", dueDate: day("2024-10-11"), ...open },
      ],
      [
        "EV-12,Events,Dropped,,Canceled,,Urgent,,,,,,,,,,2024-05-14T08:53:33Z,,,,,2024-05-20T00:00:00Z,,,,,,,,",
        { priority: "urgent", ...done("2024-05-20") },
      ],
    ],
  },
  {
    program: "todoist",
    header:
      "TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE,DURATION,DURATION_UNIT,DEADLINE,DEADLINE_LANG\nmeta,view_style=board,,,,,,,,,,,,\nsection,Kitchen,,,,,,,,,,,,",
    cards: [
      [
        "task,Fix the tap @house @urgent,Worn washer,1,1,Ada (481),Grace (482),2026-10-04,en,Europe/London,30,minute,,",
        {
          title: "Fix the tap",
          list: "Kitchen",
          labels: ["house", "urgent"],
          members: ["Grace"],
          priority: "urgent",
          dueDate: day("2026-10-04"),
          comments: ["Shop on Main Street"],
          relations: ["parent: Buy a washer"],
        },
      ],
      [
        "note,Shop on Main Street,,,,Ada (481),,,,,,,,\ntask,Buy a washer,,4,2,Ada (481),,Oct 5 2026,en,,,None,,",
        { priority: "low", dueDate: day("2026-10-05") },
      ],
      [
        "task,Clean,,2,1,Ada (481),,every monday,en,,,,,",
        { dueDate: null, issues: ["The dueDate is not a date."] },
      ],
    ],
  },
  {
    program: "trello",
    header:
      "Card ID,Card Name,Card URL,Card Description,Labels,Members,Due Date,Attachment Count,Attachment Links,Checklist Item Total Count,Checklist Item Completed Count,Vote Count,Comment Count,Last Activity Date,List ID,List Name,Board ID,Board Name,Archived,Start Date,Due Complete",
    cards: [
      [
        'c1,Tiles,https://trello.com/c/1,20 m²,"Buy (green), (red_dark)",ada,2026-10-09T08:00:00.000Z,1,https://example.com/a.png,2,1,0,3,2026-10-01T08:00:00.000Z,l1,North,b1,House,false,2026-10-01T08:00:00.000Z,true',
        {
          title: "Tiles",
          list: "North",
          labels: ["Buy", "red"],
          members: ["ada"],
          dueDate: "2026-10-09T08:00:00.000Z",
          startDate: "2026-10-01T08:00:00.000Z",
          archivedAt: null,
          ...now,
        },
      ],
      [
        "c2,Old,https://trello.com/c/2,,,,,0,,0,0,0,0,,l2,Done,b1,House,true,,false",
        { archivedAt: expect.stringMatching(/^\d{4}/), dueDate: null, ...open },
      ],
    ],
  },
  {
    program: "github",
    header:
      "Title\tURL\tAssignees\tStatus\tLabels\tMilestone\tLinked pull requests\tRepository\tTarget date\tParent issue\tEstimate",
    cards: [
      [
        "Crash\thttps://github.com/o/r/issues/1\tada, grace\tIn progress\tbug, p1\tv1\t\to/r\tOct 9, 2026\t\t3",
        {
          list: "In progress",
          members: ["ada", "grace"],
          labels: ["bug", "p1"],
          dueDate: day("2026-10-09"),
          relations: ["parent: A part"],
          ...open,
        },
      ],
      [
        "A part\thttps://github.com/o/r/issues/2\t\tDone\t\t\t\to/r\t\tCrash\t",
        { list: "Done", ...now },
      ],
    ],
  },
  {
    program: "gitlab",
    header:
      "Title,Description,Issue ID,URL,State,Author,Author Username,Assignee,Assignee Username,Confidential,Locked,Due Date,Created At (UTC),Updated At (UTC),Closed At (UTC),Milestone,Weight,Labels,Time Estimate,Time Spent",
    cards: [
      [
        'Slow,Text,7,https://gitlab.com/o/r/-/issues/7,Open,Ada Lovelace,ada,Grace Hopper,grace,No,No,2026-10-09,2026-10-01 08:00:00,2026-10-02 08:00:00,,v1,3,"bug,backend",0,0',
        {
          list: "Open",
          members: ["Grace Hopper"],
          labels: ["bug", "backend"],
          dueDate: day("2026-10-09"),
          ...open,
        },
      ],
      [
        "Fast,,8,https://gitlab.com/o/r/-/issues/8,Closed,Ada,ada,,,No,No,,2026-10-01 08:00:00,,2026-10-03 09:00:00,,,,0,0",
        { list: "Closed", ...done("2026-10-03T09:00") },
      ],
      ["Undated,,9,u,Closed,Ada,ada,,,No,No,,2026-10-01 08:00:00,,,,,,0,0", { ...now }],
    ],
  },
  {
    program: "gitlab",
    header:
      "ID,IID,Title,Description,Type,URL,State,Confidential,Locked,Milestone,Labels,Author,Author Username,Assignee(s),Assignee(s) Username(s),Created At (UTC),Updated At (UTC),Closed At (UTC),Due Date,Start Date,Parent ID,Parent IID,Parent Title,Time Estimate,Time Spent",
    cards: [
      [
        "9001,1,Harvest,Text,Epic,https://gitlab.com/groups/o/-/work_items/1,Open,No,No,,,Ada Lovelace,ada,,,2026-10-01 08:00:00,,,,,,,,,",
        { list: "Open", ...open },
      ],
      [
        '9002,7,Apples,,Task,https://gitlab.com/o/r/-/work_items/7,Closed,No,No,v1,"ripe, red",Ada Lovelace,ada,"Grace Hopper, Alan Turing","grace, alan",2026-10-01 08:00:00,2026-10-02 08:00:00,2026-10-03 09:00:00,2026-10-09,2026-10-05,9001,1,Harvest,1d,2h',
        {
          list: "Closed",
          members: ["Grace Hopper", "Alan Turing"],
          labels: ["ripe", "red"],
          dueDate: day("2026-10-09"),
          startDate: day("2026-10-05"),
          relations: ["child: Harvest"],
          ...done("2026-10-03T09:00"),
        },
      ],
    ],
  },
  {
    program: "azure",
    header:
      "ID,Work Item Type,Title,Assigned To,State,Tags,Priority,Created Date,Closed Date,Due Date,Story Points,Parent,Description",
    cards: [
      [
        '"18","User Story","A server","Ada Lovelace <ada@example.com>","Active","api; backend","1","9/13/2023 3:09:27 PM",,"9/30/2023 12:00:00 AM","5",,"<div>Text</div>"',
        {
          list: "Active",
          members: ["Ada Lovelace"],
          labels: ["api", "backend"],
          priority: "urgent",
          dueDate: day("2023-09-30"),
          relations: ["parent: A route"],
          ...open,
        },
      ],
      [
        '"19","Task","A route",,"Closed",,"3","9/13/2023 3:09:27 PM","10/2/2023 1:00:00 PM",,,"18",',
        { priority: "medium", ...done("2023-10-02T13:00") },
      ],
      [
        '"20","Bug","A bug",,"Resolved",,"4","9/14/2023 3:09:27 PM",,,,,',
        { priority: "low", ...now },
      ],
    ],
  },
  {
    program: "azure",
    header: "ID,Work Item Type,Title 1,Title 2,Assigned To,State,Tags",
    cards: [
      ['"1","Epic","The whole",,,"New",', { title: "The whole" }],
      ['"2","Task",,"A part",,"Done",', { title: "A part", ...now }],
    ],
  },
  {
    program: "planner",
    header:
      "Plan Name,Party\nPlan ID,abc\nDate of Export,10/20/2026\n\nTask ID,Task Name,Bucket Name,Progress,Priority,Assigned To,Created By,Created Date,Start date,Due date,Is Recurring,Late,Completed Date,Completed By,Completed Checklist Items,Checklist Items,Labels,Description",
    cards: [
      [
        "t1,Lights,Hall,In progress,Important,Ada Lovelace;Grace Hopper,Ada Lovelace,09/13/2026,,10/05/2026,false,false,,,1/2,Rent;Test,Blue;Red,Many",
        {
          list: "Hall",
          priority: "high",
          members: ["Ada Lovelace", "Grace Hopper"],
          labels: ["Blue", "Red"],
          dueDate: day("2026-10-05"),
          checklistItems: ["Rent", "Test"],
          ...open,
        },
      ],
      [
        "t2,Sound,Hall,Completed,Medium,,Ada Lovelace,09/13/2026,,,false,false,09/20/2026,Ada Lovelace,,,,",
        { priority: "medium", ...done("2026-09-20") },
      ],
    ],
  },
  {
    program: "plane",
    header:
      "ID,Project,Name,Description,State,Start Date,Target Date,Priority,Created By,Assignee,Labels,Cycle Name,Cycle Start Date,Cycle End Date,Module Name,Module Start Date,Module Target Date,Created At,Updated At,Completed At,Archived At",
    cards: [
      [
        'EV-1,Events,Poster,,In Progress,"Fri, 15 Mar 2024","Mon, 18 Mar 2024",urgent,Ada Lovelace,Grace Hopper,"art, print",,,,,,,"Mon, 01 Jan 2024 10:00:00 UTC","Tue, 02 Jan 2024 10:00:00 UTC",,',
        {
          list: "In Progress",
          startDate: day("2024-03-15"),
          dueDate: day("2024-03-18"),
          members: ["Grace Hopper"],
          labels: ["art", "print"],
          priority: "urgent",
          ...open,
        },
      ],
      [
        'EV-2,Events,Glue,,Done,,,none,Ada,,,,,,,,,"Mon, 01 Jan 2024 10:00:00 UTC",,"Wed, 03 Jan 2024 10:00:00 UTC",',
        { priority: "none", ...done("2024-01-03T10:00") },
      ],
    ],
  },
  {
    program: "plane",
    header:
      "Project Name,Project Identifier,Parent,Identifier,Sequence Id,Name,State Name,Priority,Assignees,Subscribers,Created By Name,Start Date,Target Date,Completed At,Created At,Updated At,Archived At,Estimate,Labels,Cycles,Modules,Links,Relations,Comments,Sub Issues Count,Link Count,Attachment Count,Is Draft",
    cards: [
      [
        'Events,EV,,EV-1,1,Poster,In Progress,high,"[""Grace Hopper""]","[]",Ada Lovelace,2026-03-15,2026-03-18,,2026-03-01T10:00:00.123456+00:00,2026-03-02T10:00:00.123456+00:00,,3,"[""art"", ""print""]","[]","[]","[{""url"": ""https://example.com/a"", ""title"": ""A""}]","[]","[{""comment"": ""Nice"", ""created_by"": ""Ada Lovelace"", ""created_at"": ""2026-03-02 10:00:00""}]",0,1,0,False',
        {
          list: "In Progress",
          priority: "high",
          members: ["Grace Hopper"],
          labels: ["art", "print"],
          startDate: day("2026-03-15"),
          dueDate: day("2026-03-18"),
          comments: ["Nice"],
          ...open,
        },
      ],
      [
        'Events,EV,EV-1,EV-2,2,Glue,Done,none,"[]","[]",Ada Lovelace,,,2026-03-03T10:00:00.5+00:00,2026-03-01T10:00:00+00:00,,,,"[]","[]","[]","[]","[]","[]",0,0,0,False',
        { relations: ["child: Poster"], members: [], ...done("2026-03-03T10:00") },
      ],
    ],
  },
  {
    program: "wekan",
    header:
      "Title,Description,List,Swimlane,Owner,Requested By,Assigned By,Members,Assignee,Labels,Start,Due,End,Overtime (hours),Spent time (hours),Created at,Last modified at,Last activity,Vote,Archived",
    cards: [
      [
        'Roof,High,Doing,Default,ada,,,"ada grace",,Wood-red In review-blue,2026-03-01T08:00:00.000Z,2026-03-12T08:00:00.000Z,,,,2026-02-01T08:00:00.000Z,,,,false',
        {
          list: "Doing",
          labels: ["Wood", "In review"],
          members: ["ada", "grace"],
          startDate: "2026-03-01T08:00:00.000Z",
          dueDate: "2026-03-12T08:00:00.000Z",
          archivedAt: null,
          ...open,
        },
      ],
      [
        "Floor,,Done,Default,ada,,,,,,,,2026-03-13T08:00:00.000Z,,,,,,,true",
        { archivedAt: expect.stringMatching(/^\d{4}/), ...done("2026-03-13") },
      ],
    ],
  },
  {
    program: "kanboard",
    header:
      "Task Id,Reference,Project,Status,Category,Swimlane,Column,Position,Color,Due date,Creator,Creator Name,Assignee Username,Assignee Name,Complexity,Title,Creation date,Modification date,Completion date,Start date,Time estimated,Time spent,Priority,Tags",
    cards: [
      [
        "3,,Party,Open,Food,Main,Doing,1,Yellow,10/25/2026 00:00,ada,Ada Lovelace,grace,Grace Hopper,0,Soup,10/05/2026 09:30,,,,0,0,3,hot",
        {
          title: "Soup",
          list: "Doing",
          members: ["Grace Hopper"],
          labels: ["hot", "Food"],
          dueDate: day("2026-10-25"),
          priority: "high",
          ...open,
        },
      ],
      [
        "4,,Party,Closed,,Main,Done,1,Yellow,,ada,Ada Lovelace,,,0,Bread,10/05/2026 09:30,,10/06/2026 10:00,,0,0,0,",
        { priority: "none", ...done("2026-10-06T10:00") },
      ],
    ],
  },
  {
    program: "pivotal",
    header:
      "Id,Title,Labels,Iteration,Iteration Start,Iteration End,Type,Estimate,Priority,Current State,Created at,Accepted at,Deadline,Requested By,Description,URL,Owned By,Owned By,Comment,Comment,Task,Task Status,Task,Task Status",
    cards: [
      [
        '101,Order pipes,"steel, urgent",,,,bug,2,p1 - High,started,"Oct 1, 2026",,"Oct 9, 2026",Ada Lovelace,DN50,,Ada Lovelace,Grace Hopper,"Looks good (Ada Lovelace - Oct 2, 2026)",,Call,completed,Pay,not completed',
        {
          list: "started",
          labels: ["steel", "urgent"],
          members: ["Ada Lovelace", "Grace Hopper"],
          priority: "high",
          dueDate: day("2026-10-09"),
          comments: ["Looks good"],
          checklistItems: ["Call", "Pay"],
          ...open,
        },
      ],
      [
        '102,Old,,,,,feature,,,accepted,"Sep 1, 2026","Sep 3, 2026",,Ada,,,,,,,,,,',
        { list: "accepted", ...done("2026-09-03") },
      ],
    ],
  },
  {
    program: "shortcut",
    header:
      "id,name,type,requester,owners,description,is_completed,created_at,started_at,updated_at,moved_at,completed_at,estimate,external_ticket_count,external_tickets,is_blocked,is_a_blocker,due_date,labels,epic_labels,tasks,state,epic_id,epic,project_id,project,iteration_id,iteration,utc_offset,is_archived,team_id,team",
    cards: [
      [
        "1,Search,feature,ada@example.com,ada@example.com;grace@example.com,Text,FALSE,2024/05/07 10:30:00,2024/05/07 11:00:00,,,,3,0,,FALSE,FALSE,2024/06/01 00:00:00,web;fast,,[X] Plan;[ ] Build,In Development,,,,,,,-04:00,FALSE,,",
        {
          list: "In Development",
          members: ["ada", "grace"],
          labels: ["web", "fast"],
          startDate: "2024-05-07T15:00:00.000Z",
          checklistItems: ["Plan", "Build"],
          ...open,
        },
      ],
      [
        "2,Index,chore,ada@example.com,,,TRUE,2024/05/07 10:30:00,,,,2024/05/08 15:45:00,1,0,,FALSE,FALSE,,,,,Completed,,,,,,,+00:00,FALSE,,",
        done("2024-05-08T15:45"),
      ],
    ],
  },
  {
    program: "redmine",
    header:
      "#,Project,Tracker,Parent task,Status,Priority,Subject,Author,Assignee,Updated,Category,Target version,Start date,Due date,Estimated time,Spent time,% Done,Created,Closed,Related issues,Files,Private,Description",
    cards: [
      [
        "41,Party,Bug,,New,Immediate,Broken lamp,Ada Lovelace,Grace Hopper,06/13/2024 03:14 PM,Light,,06/01/2024,06/30/2024,2.5,1.0,40,06/13/2024 03:14 PM,,,,No,Dark",
        {
          title: "Broken lamp",
          list: "New",
          priority: "urgent",
          members: ["Grace Hopper"],
          labels: ["Light"],
          startDate: day("2024-06-01"),
          dueDate: day("2024-06-30"),
          relations: ["parent: New bulb"],
          ...open,
        },
      ],
      [
        "42,Party,Bug,41,Closed,Normal,New bulb,Ada,,,,,,,,,100,06/14/2024 03:14 PM,06/15/2024 03:14 PM,,,No,",
        { priority: "medium", ...done("2024-06-15T15:14") },
      ],
    ],
  },
  {
    program: "vikunja",
    header:
      "id,title,description,done,done_at,due_date,priority,labels,start_date,end_date,percent_done,project,bucket,assignees,created,updated",
    cards: [
      [
        '1,Water,All of them,false,0001-01-01T00:00:00Z,2026-03-12T08:00:00Z,5,"garden, green",0001-01-01T00:00:00Z,0001-01-01T00:00:00Z,0.5,Home,Doing,ada,2026-03-01T08:00:00Z,2026-03-01T08:00:00Z',
        {
          list: "Doing",
          priority: "urgent",
          labels: ["garden", "green"],
          members: ["ada"],
          dueDate: "2026-03-12T08:00:00.000Z",
          startDate: null,
          ...open,
        },
      ],
      [
        "2,Cut,,true,2026-03-13T08:00:00Z,0001-01-01T00:00:00Z,0,,,,1,Home,Done,,,",
        { priority: "none", dueDate: null, ...done("2026-03-13") },
      ],
    ],
  },
  {
    program: "ticktick",
    header:
      '"Date: 2026-08-02+0000"\n"Version: 7.2"\n"Status: \n0 Normal\n1 Completed\n2 Archived"\n"Folder Name","List Name","Title","Kind","Tags","Content","Is Check list","Start Date","Due Date","Reminder","Repeat","Priority","Status","Created Time","Completed Time","Order","Timezone","Is All Day","Is Floating","Column Name","Column Order","View Mode","taskId","parentId","projectKind"',
    cards: [
      [
        '"","Talent","Read","TEXT","book, night","","N","2026-08-03T16:00:00+0000","2026-08-04T16:00:00+0000","","","5","0","2026-07-17T03:58:11+0000","","0","Asia/Tokyo","true","false","Doing",,"list","1","","TASK"',
        {
          title: "Read",
          list: "Doing",
          labels: ["book", "night"],
          priority: "high",
          dueDate: "2026-08-04T16:00:00.000Z",
          ...open,
        },
      ],
      [
        '"","Talent","Write","TEXT","","","N","","","","","0","2","2026-07-17T03:58:11+0000","2026-07-18T03:58:11+0000","0","Asia/Tokyo","","false","",,"list","2","","TASK"',
        { list: "Talent", ...done("2026-07-18") },
      ],
    ],
  },
  {
    program: "general",
    header: "Task,Stage,Owner,Due date,Tags,Priority,% complete",
    cards: [
      [
        "One,Doing,Ada Lovelace,2026-03-12,a;b,P1,40%",
        {
          list: "Doing",
          labels: ["a", "b"],
          priority: "urgent",
          dueDate: day("2026-03-12"),
          ...open,
        },
      ],
      [
        'Two,Review,,"Mar 12, 2026","[a,b]",Normal,100%',
        { labels: ["a", "b"], priority: "medium", dueDate: day("2026-03-12"), ...now },
      ],
      [
        'Three,Done,,12 Mar 26,"[""a"",""b""]",No priority,',
        { labels: ["a", "b"], priority: "none", dueDate: day("2026-03-12"), ...now },
      ],
      [
        "Four,Done,,12.03.2026,none,Lowest,",
        { labels: [], priority: "low", dueDate: day("2026-03-12") },
      ],
      [
        "Five,Doing,,1773302400,n/a,Trivial,",
        { dueDate: "2026-03-12T08:00:00.000Z", labels: [], priority: "low" },
      ],
      [
        "Six,Doing,,2026-03-12 5:30 PM UTC,,Major,",
        { dueDate: "2026-03-12T17:30:00.000Z", priority: "high" },
      ],
      ["Seven,Doing,,3/13/26,,,", { dueDate: day("2026-03-13") }],
      ["Eight,Doing,,3/4/26,,,", { dueDate: day("2026-03-04") }],
      ["Nine,Doing,,--,,,", { dueDate: null, issues: [] }],
      ["Ten,Doing,,soon,,,", { dueDate: null, issues: ["The dueDate is not a date."] }],
    ],
  },
];
