import type { SampleBoard } from "./sample-content.ts";

/** A board of a team that moves to another office: 30 cards. */
export const officeBoard: SampleBoard = {
  name: "Office move",
  labels: ["Furniture", "Contracts", "Network", "People"],
  lists: {
    "To do": [
      { title: "Cancel the old electricity contract", label: "Contracts", due: 20 },
      { title: "Send customers the new address", label: "People", members: ["cleo"], due: 10 },
      { title: "Order a sign for the door", due: 8 },
      { title: "Measure the meeting area", label: "Furniture", members: ["ben"], due: 2 },
      { title: "Book the movers", label: "Contracts", members: ["ada"], due: -2 },
      { title: "Sell the old desks", label: "Furniture" },
      { title: "Forward the post", label: "Contracts", due: 14 },
      { title: "Plan who sits where", label: "People", members: ["cleo"] },
      { title: "Buy plants", members: ["ben"] },
      {
        title: "Pack the archive",
        description: "Paper of the last ten years. Everything older is shredded.",
        due: 16,
        checklist: ["Boxes", "Labels for the boxes", "Shred what is older", "List of all boxes"],
      },
      { title: "Return the keys", label: "Contracts", members: ["ada"], due: 30 },
      { title: "Insure the new office", label: "Contracts", due: 5 },
    ],
    "In progress": [
      {
        title: "Internet at the new office",
        label: "Network",
        members: ["ada"],
        due: 7,
        checklist: ["Order the line", "Date for the technician", "Router", "Test on each floor"],
        comments: [
          ["ada", "The technician comes between 8 and 12."],
          ["cleo", "I can let them in."],
        ],
      },
      { title: "Desks for twelve people", label: "Furniture", members: ["ben"], due: 5 },
      {
        title: "Find out how loud the street is",
        label: "People",
        members: ["cleo"],
        comments: [["cleo", "Fine with closed windows. I measure again on Monday."]],
      },
      { title: "Shelves for the kitchen", label: "Furniture", members: ["ben"], due: 1 },
      { title: "Wireless network in the cellar", label: "Network", members: ["ada"] },
      { title: "Ramp at the entrance", members: ["ben"], due: 9 },
    ],
    Waiting: [
      {
        title: "Permission for bicycle stands",
        label: "Contracts",
        members: ["cleo"],
        comments: [["cleo", "The town answers within four weeks."]],
      },
      { title: "Offer for the coffee machine", label: "Contracts", members: ["ben"], due: 0 },
      { title: "Lamps, sold out until next week", label: "Furniture", members: ["ben"] },
      { title: "Fire drill with the landlord", label: "People", due: 18 },
    ],
    Done: [
      { title: "Sign the lease", label: "Contracts", members: ["ada"] },
      { title: "Paint the walls", members: ["ben", "cleo"] },
      { title: "Check the heating", members: ["ben"] },
      { title: "Floor plan", label: "Furniture", members: ["cleo"] },
      { title: "Inform the team", label: "People", members: ["ada"] },
      { title: "Count sockets per floor", label: "Network", members: ["ada"] },
      { title: "Choose a cleaning service", label: "Contracts", members: ["cleo"] },
      { title: "Photos of the empty office", members: ["ben"] },
    ],
  },
};
