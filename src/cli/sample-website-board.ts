import type { SampleBoard } from "./sample-content.ts";

/** A board of a team that makes a new website: 30 cards. */
export const websiteBoard: SampleBoard = {
  name: "New website",
  labels: ["Design", "Text", "Code", "Bug"],
  lists: {
    Ideas: [
      { title: "A page that shows our customers on a map", label: "Design" },
      { title: "Answer questions in a chat", comments: [["ben", "Who would answer at night?"]] },
      { title: "A calculator for prices", label: "Code" },
      { title: "Publish our pay bands", label: "Text", members: ["ada"] },
      { title: "Offer the site in Portuguese", label: "Text" },
      { title: "Dark colours in the evening", label: "Design" },
      { title: "A newsletter, once a quarter" },
    ],
    "To do": [
      {
        title: "Write the start page",
        description: "Three sentences on top. What we make, its users, and what it costs.",
        label: "Text",
        members: ["cleo"],
        due: 3,
        checklist: ["Collect the best sentences of the old page", "First version", "Read it aloud"],
      },
      { title: "Take photos of the workshop", label: "Design", members: ["ben"], due: 6 },
      { title: "Move the old articles", label: "Text", due: 12 },
      { title: "Redirect the old addresses", label: "Code", due: 13 },
      {
        title: "Check all pages with a screen reader",
        label: "Code",
        members: ["ada"],
        due: 9,
        checklist: ["Menu", "Forms", "Tables", "Pictures"],
      },
      { title: "Page for open positions", label: "Text" },
      { title: "Measure how fast the pages load", label: "Code", members: ["ada"] },
    ],
    "In progress": [
      {
        title: "Contact form",
        description: "Name, address, message. No other field.",
        label: "Code",
        members: ["ada", "ben"],
        due: 1,
        checklist: ["Form", "Mail to the office", "Limit per visitor", "Confirmation"],
        comments: [
          ["ada", "The form works here. The mail is missing."],
          ["ben", "I take the mail. Is one per minute a sensible limit?"],
          ["ada", "Yes."],
        ],
      },
      {
        title: "Choose a typeface",
        label: "Design",
        members: ["cleo"],
        due: -1,
        comments: [["cleo", "Two are left. I would like to see both on a phone."]],
      },
      { title: "Colours for buttons and links", label: "Design", members: ["cleo"] },
      {
        title: "Menu closes by itself on small phones",
        label: "Bug",
        members: ["ben"],
        due: 0,
        comments: [["ben", "Only when the page scrolls. I have it on video."]],
      },
      { title: "Page about the team", label: "Text", members: ["ada"], due: 4 },
    ],
    Review: [
      {
        title: "Footer with address and opening hours",
        label: "Code",
        members: ["ben"],
        comments: [["cleo", "The hours of Saturday are missing."]],
      },
      { title: "Price list", label: "Text", members: ["cleo"], due: 2 },
      { title: "Icons for the four products", label: "Design", members: ["cleo"] },
      { title: "Pictures load late", label: "Bug", members: ["ada"] },
    ],
    Done: [
      { title: "Register the domain", members: ["ada"] },
      { title: "Sketch of all pages", label: "Design", members: ["cleo"] },
      { title: "Choose where the site runs", label: "Code", members: ["ada"] },
      { title: "List what the old site has", label: "Text", members: ["ben"] },
      { title: "Ask ten customers what they look for", members: ["ben", "cleo"] },
      { title: "Set up automatic deployment", label: "Code", members: ["ada"] },
      { title: "Logo as a vector file", label: "Design", members: ["cleo"] },
    ],
  },
};
